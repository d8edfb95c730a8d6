package org.cuarray.tests.conformance;

import static org.cuarray.tests.conformance.DriverRig.ok;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.javacpp.JavaCppDriver;

/**
 * Holds the real driver to the facts, on a machine with two GPUs; skipped elsewhere. Not part of
 * the ordinary build: its name is run by hand, or by the suite runner of the bundle.
 */
public final class CudaDriverConformance extends DriverConformance {

  /** For JUnit. */
  public CudaDriverConformance() {}

  @Override
  protected CudaDriver openDriver() {
    JavaCppDriver.unavailableReason().ifPresent(reason -> assumeTrue(false, reason));
    CudaDriver driver = JavaCppDriver.instance();
    int[] count = new int[1];
    ok(driver.deviceGetCount(count));
    assumeTrue(count[0] >= 2, () -> "two GPUs needed, there are " + count[0]);
    return driver;
  }
}
