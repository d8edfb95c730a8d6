package org.cuarray.tests.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.cuarray.driver.CudaError.ECC_UNCORRECTABLE;
import static org.cuarray.tests.conformance.DriverRig.expect;
import static org.cuarray.tests.conformance.DriverRig.ok;

import org.cuarray.driver.CudaError;
import org.cuarray.driver.DriverFlags;
import org.cuarray.driver.PointerAttribute;
import org.cuarray.driver.PoolAccess;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.conformance.DriverRig;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeviceLossTest {
  private static final int BYTES = 4096;

  private final SimulatedDriver driver = SimulatedDriver.of(Preset.NVLINK);
  private final DriverRig rig = new DriverRig(driver);
  private long lostMemory;
  private long lostStream;
  private long lostEvent;
  private long lostPool;
  private long lostPooled;
  private long goodMemory;
  private long goodStream;

  @BeforeEach
  void loseDeviceZero() {
    lostMemory = rig.classic(0, BYTES);
    lostStream = rig.stream(0);
    lostEvent = rig.event(0, 0);
    lostPool = rig.pool(0);
    lostPooled = rig.pooled(0, lostPool, BYTES);
    goodMemory = rig.classic(1, BYTES);
    goodStream = rig.stream(1);
    rig.enablePeers(0, 1);
    driver.loseDevice(0);
  }

  @Test
  void theCodeIsOneThatStays() {
    assertThat(CudaError.isSticky(ECC_UNCORRECTABLE)).isTrue();
  }

  @Test
  void everyCallThatTouchesItFailsAndGoesOnFailing() {
    for (int time = 0; time < 2; time++) {
      lost(driver.memcpyPeerAsync(goodMemory, 0, lostMemory, 0, BYTES, goodStream));
      lost(driver.memcpyPeerAsync(lostMemory, 0, goodMemory, 0, BYTES, goodStream));
      lost(driver.memcpyDtoDAsync(goodMemory, goodMemory, BYTES, lostStream));
      lost(driver.memsetD8Async(lostMemory, (byte) 0, BYTES, goodStream));
      lost(driver.streamSynchronize(lostStream));
      lost(driver.streamQuery(lostStream));
      lost(driver.eventQuery(lostEvent));
      lost(driver.streamWaitEvent(goodStream, lostEvent, 0));
      lost(driver.pointerGetAttribute(new long[1], PointerAttribute.CONTEXT, lostMemory));
      lost(driver.pointerGetAttribute(new long[1], PointerAttribute.DEVICE_ORDINAL, lostPooled));
      lost(driver.memFree(lostMemory));
      lost(driver.memFree(lostPooled));
      lost(driver.memFreeAsync(lostPooled, goodStream));
      lost(driver.memAllocAsync(new long[1], BYTES, lostStream));
      lost(driver.memAllocFromPoolAsync(new long[1], BYTES, lostPool, goodStream));
      lost(driver.memPoolTrimTo(lostPool, 0));
      lost(driver.memPoolSetAccess(lostPool, 1, PoolAccess.READ_WRITE));
      lost(driver.memPoolCreate(new long[1], 0));
      lost(driver.devicePrimaryCtxRetain(new long[1], 0));
      lost(driver.devicePrimaryCtxRelease(0));
      lost(driver.ctxCreate(new long[1], 0, 0));
    }
    lost(driver.eventDestroy(lostEvent));
    lost(driver.streamDestroy(lostStream));
    lost(driver.memPoolDestroy(lostPool));
  }

  @Test
  void itsContextCanBeBoundButDoesNoWork() {
    long[] context = new long[1];
    rig.use(0);
    ok(driver.ctxGetCurrent(context));
    assertThat(context[0]).isEqualTo(rig.context(0));
    lost(driver.memAlloc(new long[1], BYTES));
    lost(driver.memHostAlloc(new long[1], BYTES, 0));
    lost(driver.eventCreate(new long[1], 0));
    lost(driver.ctxSynchronize());
    lost(driver.ctxEnablePeerAccess(rig.context(1), 0));
    ok(driver.ctxPopCurrent(context));
    assertThat(context[0]).isEqualTo(rig.context(0));
    rig.use(1);
    lost(driver.ctxEnablePeerAccess(rig.context(0), 0));
  }

  @Test
  void otherDevicesGoOn() {
    long other = rig.classic(2, BYTES);
    rig.fill(1, goodMemory, 7, BYTES);
    ok(driver.memcpyPeerAsync(other, 0, goodMemory, 0, BYTES, goodStream));
    assertThat(rig.read(2, other, 1)).containsExactly(7);
  }

  @Test
  void memoryThatItPinnedStillServesOthers() {
    SimulatedDriver machine = SimulatedDriver.of(Preset.NVLINK, 2);
    DriverRig pins = new DriverRig(machine);
    long pinned = pins.pinned(0, BYTES);
    long device = pins.classic(1, BYTES);
    machine.loseDevice(0);
    machine.hostBuffer(pinned, BYTES).put(0, (byte) 5);
    ok(machine.memcpyHtoDAsync(device, pinned, BYTES, pins.stream(1)));
    assertThat(pins.read(1, device, 1)).containsExactly(5);
    lost(machine.memFreeHost(pinned));
  }

  @Test
  void itsMemoryIsNoLeak() {
    assertThat(driver.findings()).hasSize(1);
    rig.use(1);
    ok(driver.memFree(goodMemory));
    assertThat(driver.findings()).isEmpty();
    ok(driver.memHostAlloc(new long[1], BYTES, DriverFlags.HOST_ALLOC_PORTABLE));
    assertThat(driver.findings()).hasSize(1);
  }

  @Test
  void aDeviceThatIsNotThereCannotBeLost() {
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> driver.loseDevice(4));
  }

  private static void lost(int status) {
    expect(ECC_UNCORRECTABLE, status);
  }
}
