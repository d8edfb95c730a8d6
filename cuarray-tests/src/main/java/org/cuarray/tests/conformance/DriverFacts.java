package org.cuarray.tests.conformance;

import static org.cuarray.tests.conformance.DriverRig.ok;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.cuarray.driver.CudaDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

/**
 * The frame of the facts: a driver, a rig that cleans up after each test, and the rule that facts
 * which no documentation promises bind only the driver on which they were observed.
 */
abstract class DriverFacts {
  /** Promised by NVIDIA's documentation of the driver API. */
  static final String DOCUMENTED = "documented";

  /** Read off 2 × H200 with driver 580.159.04; see {@code driver-facts.md}. */
  static final String OBSERVED = "observed";

  /** CUDA 13.0, which the observed driver reports. */
  private static final int OBSERVED_VERSION = 13000;

  static final long KIB = 1L << 10;
  static final long MIB = 1L << 20;

  CudaDriver driver;
  DriverRig rig;

  /** One of the machine's; the second one where there is one, so that no 0 passes by chance. */
  int device;

  /** The driver under test; called before each test. */
  abstract CudaDriver openDriver();

  @BeforeEach
  final void open(TestInfo test) {
    driver = openDriver();
    rig = new DriverRig(driver);
    device = Math.min(1, rig.devices() - 1);
    if (test.getTags().contains(OBSERVED)) {
      int[] version = new int[1];
      ok(driver.driverGetVersion(version));
      assumeTrue(
          version[0] == OBSERVED_VERSION,
          () -> "observed on driver version " + OBSERVED_VERSION + ", this one is " + version[0]);
    }
  }

  @AfterEach
  final void close() {
    // JUnit calls this after a skipped test, too.
    if (rig != null) {
      rig.close();
    }
  }

  final long attribute(int attribute, long pointer) {
    long[] value = new long[1];
    ok(driver.pointerGetAttribute(value, attribute, pointer));
    return value[0];
  }

  final int attributeStatus(int attribute, long pointer) {
    return driver.pointerGetAttribute(new long[1], attribute, pointer);
  }
}
