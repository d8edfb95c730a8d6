package org.cuarray.tests.conformance;

import static org.cuarray.tests.conformance.DriverRig.ok;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.atomic.AtomicBoolean;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.javacpp.JavaCppDriver;

/**
 * Holds the real driver to the facts; on a single GPU, to those that need no second. Not part of
 * the ordinary build: its name is run by hand, or by the suite runner of the bundle.
 */
public final class CudaDriverConformance extends DriverConformance {

  private static final AtomicBoolean KEPT = new AtomicBoolean();

  /** For JUnit. */
  public CudaDriverConformance() {}

  @Override
  protected CudaDriver openDriver() {
    JavaCppDriver.unavailableReason().ifPresent(reason -> assumeTrue(false, reason));
    CudaDriver driver = JavaCppDriver.instance();
    int[] count = new int[1];
    ok(driver.deviceGetCount(count));
    keepContexts(driver, count[0]);
    return driver;
  }

  /**
   * Every test retains and releases the contexts that it uses. Were they destroyed each time,
   * driver 580.159.04 would answer a fill on another device's stream with CONTEXT_IS_DESTROYED in
   * the ones made after them.
   */
  private static void keepContexts(CudaDriver driver, int devices) {
    if (KEPT.compareAndSet(false, true)) {
      for (int device = 0; device < devices; device++) {
        ok(driver.devicePrimaryCtxRetain(new long[1], device));
      }
    }
  }
}
