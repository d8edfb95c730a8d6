package org.cuarray.tests.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.driver.CudaError.INVALID_VALUE;
import static org.cuarray.driver.CudaError.OUT_OF_MEMORY;
import static org.cuarray.tests.conformance.DriverRig.expect;
import static org.cuarray.tests.conformance.DriverRig.ok;

import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.PoolAccess;
import org.cuarray.driver.PoolAttribute;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.conformance.DriverRig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the simulated pools hold, to the byte, and what the device has left. */
class SimulatedPoolTest {
  private static final long MIB = 1L << 20;
  private static final long MEMORY = 100 * MIB;

  private final CudaDriver driver =
      SimulatedDriver.builder().preset(Preset.NVLINK).devices(2).memoryPerDevice(MEMORY).build();
  private final DriverRig rig = new DriverRig(driver);

  @AfterEach
  void giveBack() {
    rig.close();
  }

  @Test
  void aPoolGrowsInStepsAndFillsThem() {
    long pool = rig.pool(0);
    rig.pooled(0, pool, 1);
    assertThat(get(pool, PoolAttribute.RESERVED_MEM_CURRENT)).isEqualTo(32 * MIB);
    assertThat(get(pool, PoolAttribute.USED_MEM_CURRENT)).isEqualTo(512);
    rig.pooled(0, pool, 31 * MIB);
    assertThat(get(pool, PoolAttribute.RESERVED_MEM_CURRENT)).isEqualTo(32 * MIB);
    rig.pooled(0, pool, 33 * MIB);
    assertThat(get(pool, PoolAttribute.RESERVED_MEM_CURRENT)).isEqualTo(96 * MIB);
    assertThat(free()).isEqualTo(4 * MIB);
  }

  @Test
  void whereRoomIsShortAPoolGrowsInSmallerSteps() {
    long pool = rig.pool(0);
    rig.classic(0, 90 * MIB);
    rig.pooled(0, pool, 5 * MIB);
    assertThat(get(pool, PoolAttribute.RESERVED_MEM_CURRENT)).isEqualTo(6 * MIB);
    expect(OUT_OF_MEMORY, driver.memAllocFromPoolAsync(new long[1], 5 * MIB, pool, rig.stream(0)));
  }

  @Test
  void memoryIsShortForOneDeviceOnly() {
    rig.classic(0, 99 * MIB);
    rig.use(0);
    expect(OUT_OF_MEMORY, driver.memAlloc(new long[1], 2 * MIB));
    rig.classic(0, MIB);
    assertThat(free()).isZero();
    rig.classic(1, 99 * MIB);
  }

  @Test
  void freedMemoryIsThereAgain() {
    for (int i = 0; i < 10; i++) {
      long pointer = rig.classic(0, 60 * MIB);
      ok(driver.memFree(pointer));
      rig.forget(pointer);
      freePooled(rig.pooled(0, 60 * MIB));
    }
    assertThat(free()).isEqualTo(MEMORY);
  }

  @Test
  void theReleaseThresholdIsHeldAtASynchronisation() {
    long pool = rig.pool(0);
    ok(driver.memPoolSetAttribute(pool, PoolAttribute.RELEASE_THRESHOLD, 32 * MIB));
    long first = rig.pooled(0, pool, 32 * MIB);
    long second = rig.pooled(0, pool, 32 * MIB);
    ok(driver.memFreeAsync(first, rig.stream(0)));
    ok(driver.memFreeAsync(second, rig.stream(0)));
    rig.forget(first);
    rig.forget(second);
    assertThat(get(pool, PoolAttribute.RESERVED_MEM_CURRENT)).isEqualTo(64 * MIB);
    rig.synchronize(0);
    assertThat(get(pool, PoolAttribute.RESERVED_MEM_CURRENT)).isEqualTo(32 * MIB);
    assertThat(get(pool, PoolAttribute.RESERVED_MEM_HIGH)).isEqualTo(64 * MIB);
  }

  @Test
  void whatPoolsDoNotUseIsNotMissedElsewhere() {
    long pool = rig.pool(0);
    ok(driver.memPoolSetAttribute(pool, PoolAttribute.RELEASE_THRESHOLD, -1));
    freePooled(rig.pooled(0, pool, 90 * MIB));
    assertThat(get(pool, PoolAttribute.RESERVED_MEM_CURRENT)).isEqualTo(96 * MIB);
    rig.classic(0, 90 * MIB);
    assertThat(get(pool, PoolAttribute.RESERVED_MEM_CURRENT)).isZero();
  }

  @Test
  void aDestroyedPoolHoldsItsMemoryUntilItsLastAllocationIsFreed() {
    long pool = rig.pool(0);
    long pointer = rig.pooled(0, pool, 60 * MIB);
    ok(driver.memPoolDestroy(pool));
    rig.forget(pool);
    expect(INVALID_VALUE, driver.memPoolTrimTo(pool, 0));
    assertThat(free()).isLessThan(40 * MIB);
    freePooled(pointer);
    assertThat(free()).isEqualTo(MEMORY);
  }

  @Test
  void sizesAreReadOnlyAndHighWaterMarksAreOnlyReset() {
    long pool = rig.pool(0);
    expect(INVALID_VALUE, driver.memPoolSetAttribute(pool, PoolAttribute.RESERVED_MEM_CURRENT, 0));
    expect(INVALID_VALUE, driver.memPoolSetAttribute(pool, PoolAttribute.USED_MEM_CURRENT, 0));
    expect(INVALID_VALUE, driver.memPoolSetAttribute(pool, PoolAttribute.USED_MEM_HIGH, 5));
    expect(INVALID_VALUE, driver.memPoolSetAttribute(pool, 99, 0));
  }

  @Test
  void theDefaultPoolCannotBeDestroyed() {
    long[] pool = new long[1];
    ok(driver.deviceGetDefaultMemPool(pool, 0));
    expect(INVALID_VALUE, driver.memPoolDestroy(pool[0]));
  }

  @Test
  void aNewPoolHasAnotherHandleAndNoGrants() {
    long first = granted(driver);
    long[] second = new long[1];
    ok(driver.memPoolDestroy(first));
    ok(driver.memPoolCreate(second, 0));
    assertThat(second[0]).isNotEqualTo(first);
    assertThat(access(driver, second[0])).isEqualTo(PoolAccess.NONE);
    ok(driver.memPoolDestroy(second[0]));
  }

  @Test
  void aRecycledPoolCanInheritGrants() {
    CudaDriver recycling = SimulatedDriver.builder().recycledPoolsInheritGrants().build();
    ok(recycling.init(0));
    long first = granted(recycling);
    long[] second = new long[1];
    ok(recycling.memPoolDestroy(first));
    expect(INVALID_VALUE, recycling.memPoolTrimTo(first, 0));
    ok(recycling.memPoolCreate(second, 1));
    assertThat(second[0]).as("another device's").isNotEqualTo(first);
    ok(recycling.memPoolCreate(second, 0));
    assertThat(second[0]).isEqualTo(first);
    assertThat(access(recycling, second[0])).isEqualTo(PoolAccess.READ_WRITE);
    ok(recycling.memPoolCreate(second, 0));
    assertThat(second[0]).isNotEqualTo(first);
    assertThat(access(recycling, second[0])).isEqualTo(PoolAccess.NONE);
  }

  private static long granted(CudaDriver driver) {
    long[] pool = new long[1];
    ok(driver.memPoolCreate(pool, 0));
    ok(driver.memPoolSetAccess(pool[0], 1, PoolAccess.READ_WRITE));
    return pool[0];
  }

  private static int access(CudaDriver driver, long pool) {
    int[] flags = new int[1];
    ok(driver.memPoolGetAccess(flags, pool, 1));
    return flags[0];
  }

  private void freePooled(long pointer) {
    ok(driver.memFreeAsync(pointer, rig.stream(0)));
    rig.forget(pointer);
    rig.synchronize(0);
  }

  private long free() {
    long[] free = new long[1];
    rig.use(0);
    ok(driver.memGetInfo(free, new long[1]));
    return free[0];
  }

  private long get(long pool, int attribute) {
    long[] value = new long[1];
    ok(driver.memPoolGetAttribute(value, pool, attribute));
    return value[0];
  }
}
