package org.cuarray.tests.exit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.cuarray.driver.javacpp.JavaCppDriver;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** The exit suite on this machine's GPUs; it needs NVRTC for the kernel that does not end. */
@Tag("gpu")
public final class CudaExitSuite extends ExitSuite {

  /** For JUnit. */
  public CudaExitSuite() {}

  @Override
  protected String machine() {
    return "cuda";
  }

  @BeforeEach
  @Override
  protected void requireMachine() {
    JavaCppDriver.unavailableReason().ifPresent(reason -> assumeTrue(false, reason));
  }
}
