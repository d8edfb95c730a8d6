package org.cuarray.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.driver.CudaError.INVALID_CONTEXT;
import static org.cuarray.driver.CudaError.INVALID_DEVICE;
import static org.cuarray.driver.CudaError.INVALID_VALUE;
import static org.cuarray.tests.conformance.DriverRig.expect;
import static org.cuarray.tests.conformance.DriverRig.ok;

import org.cuarray.driver.DriverFlags;
import org.cuarray.driver.PointerAttribute;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Devices, contexts, and what needs a current one. */
abstract class ContextFacts extends DriverFacts {

  @Test
  @Tag(DOCUMENTED)
  void anOrdinalPastTheLastIsNoDevice() {
    int[] count = new int[1];
    ok(driver.deviceGetCount(count));
    expect(INVALID_DEVICE, driver.deviceGet(new int[1], count[0]));
  }

  @Test
  @Tag(DOCUMENTED)
  void aThreadHasNoCurrentContextAtFirst() {
    assertThat(current()).isZero();
  }

  @Test
  @Tag(DOCUMENTED)
  void allocationsEventsAndStreamsNeedACurrentContext() {
    expect(INVALID_CONTEXT, driver.memAlloc(new long[1], 16));
    expect(INVALID_CONTEXT, driver.eventCreate(new long[1], 0));
    expect(
        INVALID_CONTEXT,
        driver.streamCreateWithPriority(new long[1], DriverFlags.STREAM_NON_BLOCKING, 0));
  }

  @Test
  @Tag(DOCUMENTED)
  void aContextIsAskedForItsDeviceAndSynchronisedOnlyWhereThereIsOne() {
    int[] answer = new int[1];
    expect(INVALID_CONTEXT, driver.ctxGetDevice(answer));
    expect(INVALID_CONTEXT, driver.ctxSynchronize());
    rig.use(device);
    ok(driver.ctxGetDevice(answer));
    assertThat(answer[0]).isEqualTo(device);
    ok(driver.ctxSynchronize());
  }

  @Test
  @Tag(DOCUMENTED)
  void aPrimaryContextIsOneHoweverOftenItIsRetained() {
    long[] again = new long[1];
    long first = rig.context(0);
    ok(driver.devicePrimaryCtxRetain(again, 0));
    assertThat(again[0]).isEqualTo(first);
    ok(driver.devicePrimaryCtxRelease(0));
    assertThat(isActive(0)).isTrue();
  }

  @Test
  @Tag(DOCUMENTED)
  void retainingOneDevicesContextActivatesNoOther() {
    boolean before = isActive(0);
    rig.use(1);
    assertThat(isActive(1)).isTrue();
    assertThat(isActive(0)).isEqualTo(before);
  }

  @Test
  @Tag(DOCUMENTED)
  void retainingMakesNothingCurrent() {
    rig.context(0);
    assertThat(current()).isZero();
  }

  @Test
  @Tag(DOCUMENTED)
  void settingAContextReplacesTheTopOfTheStackAndNullPopsIt() {
    long other = otherContext();
    rig.use(0);
    ok(driver.ctxPushCurrent(other));
    ok(driver.ctxSetCurrent(rig.context(0)));
    assertThat(current()).isEqualTo(rig.context(0));
    ok(driver.ctxSetCurrent(other));
    ok(driver.ctxSetCurrent(0));
    assertThat(current()).isEqualTo(rig.context(0));
    ok(driver.ctxSetCurrent(0));
    assertThat(current()).isZero();
  }

  @Test
  @Tag(DOCUMENTED)
  void poppingGivesBackWhatWasPushed() {
    long[] popped = new long[1];
    long other = otherContext();
    ok(driver.ctxPushCurrent(rig.context(0)));
    ok(driver.ctxPushCurrent(other));
    ok(driver.ctxPopCurrent(popped));
    assertThat(popped[0]).isEqualTo(other);
    assertThat(current()).isEqualTo(rig.context(0));
    ok(driver.ctxPopCurrent(popped));
    assertThat(current()).isZero();
    expect(INVALID_CONTEXT, driver.ctxPopCurrent(popped));
  }

  @Test
  @Tag(DOCUMENTED)
  void theCurrentContextIsTheThreadsOwn() throws InterruptedException {
    long[] seen = {-1};
    rig.use(0);
    Thread other = new Thread(() -> driver.ctxGetCurrent(seen));
    other.start();
    other.join();
    assertThat(seen[0]).isZero();
    assertThat(current()).isEqualTo(rig.context(0));
  }

  @Test
  @Tag(DOCUMENTED)
  void aCreatedContextIsCurrentUntilItIsDestroyed() {
    rig.use(0);
    long context = rig.createContext(0);
    assertThat(current()).isEqualTo(context).isNotEqualTo(rig.context(0));
    ok(driver.ctxDestroy(context));
    rig.forget(context);
    assertThat(current()).isEqualTo(rig.context(0));
  }

  @Test
  @Tag(OBSERVED)
  void anExplicitStreamNeedsNoCurrentContext() {
    long[] pointer = new long[1];
    long from = rig.classic(0, 4 * KIB);
    long to = rig.classic(device, 4 * KIB);
    long pooled = rig.pooled(0, 4 * KIB);
    long stream = rig.stream(0);
    rig.useNone();
    ok(driver.memcpyPeerAsync(to, rig.context(device), from, rig.context(0), 4 * KIB, stream));
    ok(driver.memcpyDtoDAsync(from, pooled, 4 * KIB, stream));
    ok(driver.memAllocAsync(pointer, 4 * KIB, stream));
    ok(driver.memFreeAsync(pointer[0], stream));
    ok(driver.streamSynchronize(stream));
  }

  @Test
  @Tag(OBSERVED)
  void freeingAndAskingAboutAPointerNeedNoCurrentContext() {
    long pointer = rig.classic(device, 4 * KIB);
    rig.useNone();
    assertThat(attribute(PointerAttribute.CONTEXT, pointer)).isEqualTo(rig.context(device));
    ok(driver.memFree(pointer));
    rig.forget(pointer);
  }

  @Test
  @Tag(OBSERVED)
  void aCopyTakesAStreamOfAnotherContextThanTheCurrentOne() {
    long from = rig.classic(0, 4 * KIB);
    long to = rig.classic(1, 4 * KIB);
    long stream = rig.stream(1);
    rig.use(0);
    ok(driver.memcpyPeerAsync(to, rig.context(1), from, rig.context(0), 4 * KIB, stream));
    ok(driver.memcpyDtoDAsync(to, to + 2 * KIB, KIB, stream));
    rig.synchronize(1);
  }

  @Test
  @Tag(OBSERVED)
  void memoryOfADestroyedContextIsUnknownAndPoolMemorySurvives() {
    long[] classic = new long[1];
    long[] pooled = new long[1];
    long[] stream = new long[1];
    long pool = rig.pool(0);
    long context = rig.createContext(0);
    ok(driver.memAlloc(classic, MIB));
    assertThat(attribute(PointerAttribute.CONTEXT, classic[0])).isEqualTo(context);
    ok(driver.streamCreateWithPriority(stream, DriverFlags.STREAM_NON_BLOCKING, 0));
    ok(driver.memAllocFromPoolAsync(pooled, 4 * KIB, pool, stream[0]));
    ok(driver.memsetD8Async(pooled[0], (byte) 7, 4 * KIB, stream[0]));
    ok(driver.streamSynchronize(stream[0]));

    ok(driver.ctxDestroy(context));
    rig.forget(context);

    expect(INVALID_VALUE, attributeStatus(PointerAttribute.CONTEXT, classic[0]));
    expect(INVALID_VALUE, driver.memFree(classic[0]));
    assertThat(attribute(PointerAttribute.CONTEXT, pooled[0])).isZero();
    assertThat(rig.read(0, pooled[0], 1)).containsExactly(7);
    ok(driver.memFreeAsync(pooled[0], rig.stream(0)));
    rig.synchronize(0);
  }

  /** One that is not device 0's primary one; no context is left current. */
  private long otherContext() {
    long context = rig.createContext(device);
    rig.useNone();
    return context;
  }

  private long current() {
    long[] context = {-1};
    ok(driver.ctxGetCurrent(context));
    return context[0];
  }

  private boolean isActive(int device) {
    int[] active = new int[1];
    ok(driver.devicePrimaryCtxGetState(device, new int[1], active));
    return active[0] == 1;
  }
}
