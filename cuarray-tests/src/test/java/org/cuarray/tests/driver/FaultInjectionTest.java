package org.cuarray.tests.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.cuarray.driver.CudaError.LAUNCH_FAILED;
import static org.cuarray.driver.CudaError.OUT_OF_MEMORY;
import static org.cuarray.driver.CudaError.UNKNOWN;
import static org.cuarray.tests.conformance.DriverRig.expect;
import static org.cuarray.tests.conformance.DriverRig.ok;

import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.conformance.DriverRig;
import org.junit.jupiter.api.Test;

class FaultInjectionTest {

  @Test
  void theNthCallOfAKindFailsAndDoesNothing() {
    CudaDriver driver =
        SimulatedDriver.builder()
            .fail("cuMemcpyDtoDAsync", 2, LAUNCH_FAILED)
            .fail("cuMemcpyDtoDAsync", 4, UNKNOWN)
            .build();
    try (DriverRig rig = new DriverRig(driver)) {
      long from = rig.classic(0, 4);
      long to = rig.classic(0, 4);
      int[] expected = {0, LAUNCH_FAILED, 0, UNKNOWN, 0};
      for (int value = 0; value < expected.length; value++) {
        rig.write(0, to, (byte) 99);
        rig.write(0, from, (byte) value);
        expect(expected[value], driver.memcpyDtoDAsync(to, from, 1, rig.stream(0)));
        assertThat(rig.read(0, to, 1)[0]).isEqualTo((byte) (expected[value] == 0 ? value : 99));
      }
    }
  }

  @Test
  void aFailedAllocationLeavesItsResultUntouched() {
    CudaDriver driver = SimulatedDriver.builder().fail("cuMemAlloc", 1, OUT_OF_MEMORY).build();
    try (DriverRig rig = new DriverRig(driver)) {
      long[] pointer = {77};
      rig.use(0);
      expect(OUT_OF_MEMORY, driver.memAlloc(pointer, 16));
      assertThat(pointer[0]).isEqualTo(77);
      ok(driver.memAlloc(pointer, 16));
      ok(driver.memFree(pointer[0]));
    }
  }

  @Test
  void evenInitialisingCanFail() {
    CudaDriver driver = SimulatedDriver.builder().fail("cuInit", 1, UNKNOWN).build();
    expect(UNKNOWN, driver.init(0));
    ok(driver.init(0));
  }

  @Test
  void aFaultCanBeOrderedWhileRunning() {
    SimulatedDriver driver = SimulatedDriver.builder().build();
    try (DriverRig rig = new DriverRig(driver)) {
      ok(driver.ctxGetCurrent(new long[1]));
      driver.failFromNow("cuCtxGetCurrent", 2, UNKNOWN);
      ok(driver.ctxGetCurrent(new long[1]));
      expect(UNKNOWN, driver.ctxGetCurrent(new long[1]));
      driver.failFromNow("cuCtxGetCurrent", 1, LAUNCH_FAILED);
      expect(LAUNCH_FAILED, driver.ctxGetCurrent(new long[1]));
      ok(driver.ctxGetCurrent(new long[1]));
      rig.useNone();
    }
  }

  @Test
  void faultsThatCannotHappenAreRefused() {
    SimulatedDriver.Builder builder = SimulatedDriver.builder();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.fail("cudaMalloc", 1, UNKNOWN))
        .withMessageContaining("cudaMalloc");
    assertThatIllegalArgumentException().isThrownBy(() -> builder.fail("cuMemAlloc", 0, UNKNOWN));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.fail("cuMemAlloc", 1, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.fail("cuHostMalloc", 1, UNKNOWN));
  }

  @Test
  void deniedPinnedMemoryIsOutOfMemory() {
    CudaDriver driver = SimulatedDriver.builder().denyPinned().build();
    try (DriverRig rig = new DriverRig(driver)) {
      rig.use(0);
      expect(OUT_OF_MEMORY, driver.memHostAlloc(new long[1], 1, 0));
    }
  }

  @Test
  void thePinnedLimitCountsWhatIsLive() {
    CudaDriver driver = SimulatedDriver.builder().pinnedLimit(1000).build();
    long[] first = new long[1];
    try (DriverRig rig = new DriverRig(driver)) {
      rig.use(0);
      ok(driver.memHostAlloc(first, 600, 0));
      expect(OUT_OF_MEMORY, driver.memHostAlloc(new long[1], 401, 0));
      rig.pinned(0, 400);
      ok(driver.memFreeHost(first[0]));
      rig.pinned(0, 600);
    }
  }
}
