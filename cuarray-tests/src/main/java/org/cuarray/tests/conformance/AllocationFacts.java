package org.cuarray.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.driver.CudaError.INVALID_CONTEXT;
import static org.cuarray.driver.CudaError.INVALID_VALUE;
import static org.cuarray.driver.CudaError.OUT_OF_MEMORY;
import static org.cuarray.tests.conformance.DriverRig.expect;
import static org.cuarray.tests.conformance.DriverRig.ok;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Allocation and freeing, classic and stream-ordered. */
abstract class AllocationFacts extends DriverFacts {
  private static final long TOO_MUCH = 1L << 50;

  @Test
  @Tag(DOCUMENTED)
  void zeroBytesOfClassicMemoryAreInvalid() {
    rig.use(0);
    expect(INVALID_VALUE, driver.memAlloc(new long[1], 0));
  }

  @Test
  @Tag(OBSERVED)
  void zeroBytesInStreamOrderAreTheNullPointer() {
    long[] pointer = {77};
    ok(driver.memAllocAsync(pointer, 0, rig.stream(0)));
    assertThat(pointer[0]).isZero();
  }

  @Test
  @Tag(DOCUMENTED)
  void moreThanThereIsIsOutOfMemory() {
    long[] pointer = {77};
    rig.use(0);
    expect(OUT_OF_MEMORY, driver.memAlloc(pointer, TOO_MUCH));
    expect(OUT_OF_MEMORY, driver.memAllocAsync(pointer, TOO_MUCH, rig.stream(0)));
    assertThat(pointer[0]).isEqualTo(77);
  }

  @Test
  @Tag(OBSERVED)
  void freeingTheNullPointerIsNothing() {
    rig.use(0);
    ok(driver.memFree(0));
    ok(driver.memFreeAsync(0, rig.stream(0)));
  }

  @Test
  @Tag(OBSERVED)
  void freeingTwiceIsInvalid() {
    long[] pointer = new long[1];
    long stream = rig.stream(0);
    rig.use(0);
    ok(driver.memAlloc(pointer, 4 * KIB));
    ok(driver.memFree(pointer[0]));
    expect(INVALID_VALUE, driver.memFree(pointer[0]));
    ok(driver.memAllocAsync(pointer, 4 * KIB, stream));
    ok(driver.memFreeAsync(pointer[0], stream));
    expect(INVALID_VALUE, driver.memFreeAsync(pointer[0], stream));
  }

  @Test
  @Tag(OBSERVED)
  void freeingAnInteriorPointerIsInvalid() {
    long classic = rig.classic(0, MIB);
    long pooled = rig.pooled(0, MIB);
    rig.use(0);
    expect(INVALID_VALUE, driver.memFree(classic + 256));
    expect(INVALID_VALUE, driver.memFreeAsync(pooled + 256, rig.stream(0)));
  }

  @Test
  @Tag(OBSERVED)
  void eachWayOfFreeingTakesTheOthersMemory() {
    long classic = rig.classic(0, 4 * KIB);
    long pooled = rig.pooled(0, 4 * KIB);
    rig.use(0);
    ok(driver.memFree(pooled));
    rig.forget(pooled);
    ok(driver.memFreeAsync(classic, rig.stream(0)));
    rig.forget(classic);
  }

  @Test
  @Tag(OBSERVED)
  void eachWayOfFreeingTakesAnotherDevicesMemory() {
    long classic = rig.classic(1, 4 * KIB);
    long pooled = rig.pooled(1, 4 * KIB);
    rig.use(0);
    ok(driver.memFree(classic));
    rig.forget(classic);
    ok(driver.memFreeAsync(pooled, rig.stream(0)));
    rig.forget(pooled);
    rig.synchronize(0);
  }

  @Test
  @Tag(OBSERVED)
  void memoryOfADestroyedPoolIsFreedAllTheSame() {
    long pool = rig.pool(0);
    long pointer = rig.pooled(0, pool, MIB);
    rig.fill(0, pointer, 5, MIB);
    ok(driver.memPoolDestroy(pool));
    rig.forget(pool);
    assertThat(rig.read(0, pointer + MIB - 1, 1)).containsExactly(5);
    ok(driver.memFreeAsync(pointer, rig.stream(0)));
    rig.forget(pointer);
    rig.synchronize(0);
  }

  @Test
  @Tag(DOCUMENTED)
  void freeMemoryIsAskedOfTheCurrentContextsDevice() {
    long[] free = new long[1];
    long[] total = new long[1];
    long[] ofDevice = new long[1];
    expect(INVALID_CONTEXT, driver.memGetInfo(free, total));
    rig.use(device);
    ok(driver.memGetInfo(free, total));
    ok(driver.deviceTotalMem(ofDevice, device));
    assertThat(total[0]).isEqualTo(ofDevice[0]);
    assertThat(free[0]).isBetween(1L, total[0]);
  }

  @Test
  @Tag(DOCUMENTED)
  void liveAllocationsDoNotOverlapWhateverTheirDevice() {
    long first = rig.classic(0, MIB);
    long second = rig.classic(device, MIB);
    long third = rig.pooled(0, MIB);
    assertThat(Math.abs(first - second)).isGreaterThanOrEqualTo(MIB);
    assertThat(Math.abs(first - third)).isGreaterThanOrEqualTo(MIB);
    assertThat(Math.abs(second - third)).isGreaterThanOrEqualTo(MIB);
  }

  @Test
  @Tag(DOCUMENTED)
  void memoryIsAlignedForEveryElementType() {
    assertThat(rig.classic(0, 1) % 256).isZero();
    assertThat(rig.classic(0, 1) % 256).isZero();
    assertThat(rig.pooled(0, 1) % 256).isZero();
  }
}
