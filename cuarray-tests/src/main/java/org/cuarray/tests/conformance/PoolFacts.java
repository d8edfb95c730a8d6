package org.cuarray.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.driver.CudaError.INVALID_DEVICE;
import static org.cuarray.tests.conformance.DriverRig.expect;
import static org.cuarray.tests.conformance.DriverRig.ok;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.cuarray.driver.PointerAttribute;
import org.cuarray.driver.PoolAccess;
import org.cuarray.driver.PoolAttribute;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Memory pools: what they hold, when they let go, and who may reach them. */
abstract class PoolFacts extends DriverFacts {

  @Test
  @Tag(DOCUMENTED)
  void streamOrderedMemoryComesFromTheDefaultPoolOfTheStreamsDevice() {
    long[] pool = new long[1];
    long[] pointer = new long[1];
    long stream = rig.stream(device);
    ok(driver.deviceGetDefaultMemPool(pool, device));
    ok(driver.memAllocAsync(pointer, 4 * KIB, stream));
    ok(driver.streamSynchronize(stream));
    assertThat(attribute(PointerAttribute.MEMPOOL_HANDLE, pointer[0])).isEqualTo(pool[0]);
    ok(driver.memFreeAsync(pointer[0], stream));
    ok(driver.streamSynchronize(stream));
  }

  @Test
  @Tag(DOCUMENTED)
  void aNewPoolKeepsNothingAndReusesByEveryPolicy() {
    long pool = rig.pool(0);
    assertThat(get(pool, PoolAttribute.RELEASE_THRESHOLD)).isZero();
    assertThat(get(pool, PoolAttribute.REUSE_FOLLOW_EVENT_DEPENDENCIES)).isEqualTo(1);
    assertThat(get(pool, PoolAttribute.REUSE_ALLOW_OPPORTUNISTIC)).isEqualTo(1);
    assertThat(get(pool, PoolAttribute.REUSE_ALLOW_INTERNAL_DEPENDENCIES)).isEqualTo(1);
    assertThat(get(pool, PoolAttribute.USED_MEM_CURRENT)).isZero();
  }

  @Test
  @Tag(DOCUMENTED)
  void whatWasSetIsReadBack() {
    long pool = rig.pool(0);
    set(pool, PoolAttribute.RELEASE_THRESHOLD, 1L << 40);
    set(pool, PoolAttribute.REUSE_ALLOW_OPPORTUNISTIC, 0);
    assertThat(get(pool, PoolAttribute.RELEASE_THRESHOLD)).isEqualTo(1L << 40);
    assertThat(get(pool, PoolAttribute.REUSE_ALLOW_OPPORTUNISTIC)).isZero();
  }

  @Test
  @Tag(DOCUMENTED)
  void aPoolCountsWhatIsUsedAndWhatItHolds() {
    long pool = rig.pool(0);
    set(pool, PoolAttribute.RELEASE_THRESHOLD, -1);
    long pointer = rig.pooled(0, pool, 3 * MIB);
    assertThat(get(pool, PoolAttribute.USED_MEM_CURRENT)).isGreaterThanOrEqualTo(3 * MIB);
    assertThat(get(pool, PoolAttribute.RESERVED_MEM_CURRENT))
        .isGreaterThanOrEqualTo(get(pool, PoolAttribute.USED_MEM_CURRENT));
    free(pointer);
    assertThat(get(pool, PoolAttribute.USED_MEM_CURRENT)).isZero();
    assertThat(get(pool, PoolAttribute.USED_MEM_HIGH)).isGreaterThanOrEqualTo(3 * MIB);
    set(pool, PoolAttribute.USED_MEM_HIGH, 0);
    assertThat(get(pool, PoolAttribute.USED_MEM_HIGH)).isZero();
  }

  @Test
  @Tag(DOCUMENTED)
  void belowItsReleaseThresholdAPoolKeepsWhatWasFreed() {
    long pool = rig.pool(0);
    set(pool, PoolAttribute.RELEASE_THRESHOLD, 1L << 40);
    free(rig.pooled(0, pool, 64 * MIB));
    assertThat(get(pool, PoolAttribute.RESERVED_MEM_CURRENT)).isGreaterThanOrEqualTo(64 * MIB);
    ok(driver.memPoolTrimTo(pool, 0));
    assertThat(get(pool, PoolAttribute.RESERVED_MEM_CURRENT)).isZero();
  }

  @Test
  @Tag(OBSERVED)
  void withoutAReleaseThresholdAPoolLetsGoAtASynchronisation() {
    long pool = rig.pool(0);
    free(rig.pooled(0, pool, 64 * MIB));
    assertThat(get(pool, PoolAttribute.RESERVED_MEM_CURRENT)).isZero();
  }

  @Test
  @Tag(DOCUMENTED)
  void trimmingKeepsWhatIsInUse() {
    long pool = rig.pool(0);
    long pointer = rig.pooled(0, pool, MIB);
    rig.fill(0, pointer, 9, MIB);
    ok(driver.memPoolTrimTo(pool, 0));
    assertThat(get(pool, PoolAttribute.RESERVED_MEM_CURRENT)).isGreaterThanOrEqualTo(MIB);
    assertThat(rig.read(0, pointer + MIB - 1, 1)).containsExactly(9);
  }

  @Test
  @Tag(DOCUMENTED)
  void onlyItsOwnDeviceReachesANewPool() {
    long pool = rig.pool(0);
    assertThat(access(pool, 0)).isEqualTo(PoolAccess.READ_WRITE);
    assertThat(access(pool, 1)).isEqualTo(PoolAccess.NONE);
  }

  @Test
  @Tag(DOCUMENTED)
  void accessThatWasGrantedIsReadBackAndCanBeTakenAway() {
    rig.assumeDevice(1);
    int[] linked = new int[1];
    ok(driver.deviceCanAccessPeer(linked, 1, 0));
    assumeTrue(linked[0] == 1, "device 1 does not reach device 0");
    long pool = rig.pool(0);
    ok(driver.memPoolSetAccess(pool, 1, PoolAccess.READ_WRITE));
    assertThat(access(pool, 1)).isEqualTo(PoolAccess.READ_WRITE);
    ok(driver.memPoolSetAccess(pool, 1, PoolAccess.NONE));
    assertThat(access(pool, 1)).isEqualTo(PoolAccess.NONE);
  }

  @Test
  @Tag(OBSERVED)
  void theOwnersAccessStaysAndAnUnknownDeviceHasNone() {
    long pool = rig.pool(0);
    expect(INVALID_DEVICE, driver.memPoolSetAccess(pool, 0, PoolAccess.NONE));
    expect(INVALID_DEVICE, driver.memPoolSetAccess(pool, 99, PoolAccess.READ_WRITE));
    assertThat(access(pool, 0)).isEqualTo(PoolAccess.READ_WRITE);
  }

  @Test
  @Tag(DOCUMENTED)
  void aPoolTakesAStreamOfAnotherDevice() {
    long[] pointer = new long[1];
    long pool = rig.pool(0);
    rig.context(0);
    ok(driver.memAllocFromPoolAsync(pointer, 4 * KIB, pool, rig.stream(1)));
    rig.synchronize(1);
    assertThat(attribute(PointerAttribute.DEVICE_ORDINAL, pointer[0])).isZero();
    ok(driver.memFreeAsync(pointer[0], rig.stream(1)));
    rig.synchronize(1);
  }

  @Test
  @Tag(DOCUMENTED)
  void withAStreamOfTheirOwnAllocationsAndFreesNeedNoCurrentContext() {
    long pool = rig.pool(0);
    long stream = rig.stream(0);
    rig.useNone();
    allocateAndFree(pool, stream);
  }

  @Test
  @Tag(OBSERVED)
  void withAStreamOfTheirOwnAllocationsAndFreesTakeAnyCurrentContext() {
    long pool = rig.pool(0);
    long stream = rig.stream(0);
    rig.createContext(0);
    allocateAndFree(pool, stream);
    rig.use(1);
    allocateAndFree(pool, stream);
  }

  private void allocateAndFree(long pool, long stream) {
    long[] pointer = new long[1];
    ok(driver.memAllocFromPoolAsync(pointer, 4 * KIB, pool, stream));
    assertThat(attribute(PointerAttribute.DEVICE_ORDINAL, pointer[0])).isZero();
    ok(driver.memFreeAsync(pointer[0], stream));
    ok(driver.streamSynchronize(stream));
  }

  private void free(long pointer) {
    rig.forget(pointer);
    ok(driver.memFreeAsync(pointer, rig.stream(0)));
    rig.synchronize(0);
  }

  private int access(long pool, int device) {
    rig.assumeDevice(device);
    int[] flags = {-1};
    ok(driver.memPoolGetAccess(flags, pool, device));
    return flags[0];
  }

  private long get(long pool, int attribute) {
    long[] value = {-1};
    ok(driver.memPoolGetAttribute(value, pool, attribute));
    return value[0];
  }

  private void set(long pool, int attribute, long value) {
    ok(driver.memPoolSetAttribute(pool, attribute, value));
  }
}
