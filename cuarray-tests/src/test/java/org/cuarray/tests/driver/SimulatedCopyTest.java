package org.cuarray.tests.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.driver.CudaError.INVALID_VALUE;
import static org.cuarray.tests.conformance.DriverRig.expect;
import static org.cuarray.tests.conformance.DriverRig.ok;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.DriverFlags;
import org.cuarray.driver.PointerAttribute;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.conformance.DriverRig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What only the simulated driver promises of its copies. */
class SimulatedCopyTest {
  private final CudaDriver driver = SimulatedDriver.of(Preset.NVLINK);
  private final DriverRig rig = new DriverRig(driver);

  @AfterEach
  void giveBack() {
    rig.close();
  }

  @Test
  void anOverlappingCopyIsNoMemmoveInEitherDirection() {
    long pointer = rig.classic(0, 6);
    rig.write(0, pointer, new byte[] {1, 2, 3, 4, 5, 6});
    ok(driver.memcpyDtoDAsync(pointer + 2, pointer, 4, rig.stream(0)));
    assertThat(rig.read(0, pointer, 6)).containsExactly(1, 2, 1, 2, 1, 2);
    rig.write(0, pointer, new byte[] {1, 2, 3, 4, 5, 6});
    ok(driver.memcpyDtoDAsync(pointer, pointer + 2, 4, rig.stream(0)));
    assertThat(rig.read(0, pointer, 6)).containsExactly(5, 6, 5, 6, 5, 6);
  }

  @Test
  void aCopyOntoItselfChangesNothing() {
    long pointer = rig.classic(0, 3);
    rig.write(0, pointer, new byte[] {1, 2, 3});
    ok(driver.memcpyDtoDAsync(pointer, pointer, 3, rig.stream(0)));
    assertThat(rig.read(0, pointer, 3)).containsExactly(1, 2, 3);
  }

  @Test
  void pageableMemoryIsUnknownToDeviceCopies() {
    long device = rig.classic(0, 16);
    long host = rig.pageable(16);
    long stream = rig.stream(0);
    expect(INVALID_VALUE, driver.memcpyDtoDAsync(device, host, 16, stream));
    expect(INVALID_VALUE, driver.memcpyDtoHAsync(device, device, 16, stream));
    expect(INVALID_VALUE, driver.memcpyHtoDAsync(host, host, 16, stream));
    expect(INVALID_VALUE, driver.memsetD8Async(host, (byte) 1, 16, stream));
    ok(driver.memcpyAsync(device, host, 16, stream));
  }

  /** So that a test of the runtime's own garbage sees the runtime's alone. */
  @Test
  void theHotCallsAllocateNothing() {
    long from = rig.pooled(0, 4096);
    long to = rig.classic(1, 4096);
    long event = rig.event(0, DriverFlags.EVENT_DISABLE_TIMING);
    long zero = rig.stream(0);
    long one = rig.stream(1);
    long context = rig.context(0);
    long[] current = new long[1];
    int[] attributes = {PointerAttribute.CONTEXT, PointerAttribute.DEVICE_ORDINAL};
    long[] values = new long[2];
    rig.enablePeers(0, 1);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 5; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 1000; i++) {
        ok0(driver.ctxGetCurrent(current));
        ok0(driver.ctxSetCurrent(context));
        ok0(driver.pointerGetAttributes(2, attributes, values, from));
        ok0(driver.memcpyPeerAsync(to, 0, from, 0, 4096, zero));
        ok0(driver.memsetD32Async(from, i, 1024, zero));
        ok0(driver.eventRecord(event, zero));
        ok0(driver.streamWaitEvent(one, event, 0));
        ok0(driver.streamSynchronize(one));
        ok0(driver.ctxSetCurrent(current[0]));
      }
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertThat(least).isLessThan(1000);
  }

  private static void ok0(int status) {
    if (status != 0) {
      throw new AssertionError("status " + status);
    }
  }

  @Test
  void threadsShareAMachine() throws Exception {
    int threads = 8;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      Future<?>[] all = new Future<?>[threads];
      for (int i = 0; i < threads; i++) {
        int device = i % 4;
        all[i] = pool.submit(() -> churn(device));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } finally {
      pool.shutdown();
    }
    assertThat(((SimulatedDriver) driver).findings()).isEmpty();
  }

  private void churn(int device) {
    try (DriverRig own = new DriverRig(driver)) {
      for (int i = 0; i < 200; i++) {
        long from = own.classic(device, 100);
        long to = own.pooled((device + 1) % 4, 100);
        own.fill(device, from, i, 100);
        ok(driver.memcpyPeerAsync(to, 0, from, 0, 100, own.stream(device)));
        assertThat(own.read((device + 1) % 4, to, 100)).containsOnly(i);
      }
    }
  }
}
