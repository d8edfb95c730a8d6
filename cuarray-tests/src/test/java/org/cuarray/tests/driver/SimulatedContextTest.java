package org.cuarray.tests.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.driver.CudaError.CONTEXT_IS_DESTROYED;
import static org.cuarray.driver.CudaError.INVALID_CONTEXT;
import static org.cuarray.driver.CudaError.INVALID_HANDLE;
import static org.cuarray.driver.CudaError.INVALID_VALUE;
import static org.cuarray.tests.conformance.DriverRig.expect;
import static org.cuarray.tests.conformance.DriverRig.ok;

import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.DriverFlags;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.conformance.DriverRig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Dead handles, which a real driver may answer with a crash: never tried there. */
class SimulatedContextTest {
  private final CudaDriver driver = SimulatedDriver.of(Preset.NVLINK);
  private final DriverRig rig = new DriverRig(driver);

  @AfterEach
  void giveBack() {
    rig.close();
  }

  @Test
  void aDestroyedContextCannotBeMadeCurrent() {
    long context = created();
    ok(driver.ctxDestroy(context));
    expect(INVALID_CONTEXT, driver.ctxSetCurrent(context));
    expect(INVALID_CONTEXT, driver.ctxPushCurrent(context));
    expect(INVALID_CONTEXT, driver.ctxDestroy(context));
  }

  @Test
  void whereADestroyedContextIsStillCurrentItSaysSo() throws InterruptedException {
    long context = created();
    Thread other = new Thread(() -> driver.ctxDestroy(context));
    other.start();
    other.join();
    long[] current = new long[1];
    expect(CONTEXT_IS_DESTROYED, driver.memAlloc(new long[1], 16));
    ok(driver.ctxPopCurrent(current));
    assertThat(current[0]).isEqualTo(context);
    ok(driver.ctxGetCurrent(current));
    assertThat(current[0]).isEqualTo(rig.context(0));
  }

  @Test
  void aReleasedPrimaryContextIsDeadUntilItIsRetainedAgain() {
    long[] first = new long[1];
    long[] again = new long[1];
    long[] pointer = new long[1];
    ok(driver.devicePrimaryCtxRetain(first, 2));
    ok(driver.ctxSetCurrent(first[0]));
    ok(driver.memAlloc(pointer, 16));
    ok(driver.devicePrimaryCtxRelease(2));
    expect(CONTEXT_IS_DESTROYED, driver.memAlloc(pointer, 16));
    expect(INVALID_VALUE, driver.memFree(pointer[0]));
    expect(INVALID_CONTEXT, driver.devicePrimaryCtxRelease(2));
    ok(driver.devicePrimaryCtxRetain(again, 2));
    assertThat(again[0]).isEqualTo(first[0]);
    ok(driver.memAlloc(pointer, 16));
    ok(driver.devicePrimaryCtxRelease(2));
  }

  @Test
  void aPrimaryContextIsNotDestroyed() {
    expect(INVALID_CONTEXT, driver.ctxDestroy(rig.context(0)));
  }

  @Test
  void streamsAndEventsEndWithTheirContext() {
    long[] stream = new long[1];
    long[] event = new long[1];
    long context = created();
    ok(driver.streamCreateWithPriority(stream, DriverFlags.STREAM_NON_BLOCKING, 0));
    ok(driver.eventCreate(event, 0));
    ok(driver.ctxDestroy(context));
    expect(INVALID_HANDLE, driver.streamSynchronize(stream[0]));
    expect(INVALID_HANDLE, driver.eventQuery(event[0]));
  }

  @Test
  void aDestroyedHandleIsNotTheNextOne() {
    long[] first = new long[1];
    long[] second = new long[1];
    rig.use(0);
    ok(driver.eventCreate(first, 0));
    ok(driver.eventDestroy(first[0]));
    ok(driver.eventCreate(second, 0));
    assertThat(second[0]).isNotEqualTo(first[0]);
    expect(INVALID_HANDLE, driver.eventQuery(first[0]));
    expect(INVALID_HANDLE, driver.eventDestroy(first[0]));
    expect(INVALID_HANDLE, driver.streamQuery(second[0]));
    ok(driver.eventDestroy(second[0]));
  }

  @Test
  void peerAccessToAnEndedContextIsGone() {
    long context = created();
    ok(driver.ctxPopCurrent(new long[1]));
    rig.use(1);
    ok(driver.ctxEnablePeerAccess(context, 0));
    ok(driver.ctxDestroy(context));
    expect(INVALID_CONTEXT, driver.ctxDisablePeerAccess(context));
  }

  @Test
  void theDefaultStreamIsTheCurrentContexts() {
    long[] context = new long[1];
    expect(INVALID_CONTEXT, driver.streamSynchronize(0));
    rig.use(1);
    ok(driver.streamGetCtx(0, context));
    assertThat(context[0]).isEqualTo(rig.context(1));
  }

  private long created() {
    long[] context = new long[1];
    rig.use(0);
    ok(driver.ctxCreate(context, 0, 0));
    return context[0];
  }
}
