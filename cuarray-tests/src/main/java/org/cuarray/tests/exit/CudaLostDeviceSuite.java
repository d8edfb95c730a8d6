package org.cuarray.tests.exit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import org.cuarray.driver.javacpp.JavaCppDriver;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/**
 * The suite of lost devices on this machine's GPUs; it needs NVRTC. How far the driver lets other
 * devices go on is observed, not asserted.
 */
@Tag("gpu")
public final class CudaLostDeviceSuite extends LostDeviceSuite {

  /** For JUnit. */
  public CudaLostDeviceSuite() {}

  @Override
  protected String machine() {
    return "cuda";
  }

  @BeforeEach
  @Override
  protected void requireMachine() {
    JavaCppDriver.unavailableReason().ifPresent(reason -> assumeTrue(false, reason));
  }

  @Override
  protected void assertOtherDevices(List<String> readings) {}
}
