package org.cuarray.tests.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.cuarray.Access;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuLease;
import org.cuarray.CuRuntime;
import org.cuarray.CuStream;
import org.cuarray.DType;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.multidevice.Threads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * Whoever waits for a range that another thread keeps to itself keeps no staging slot meanwhile:
 * the other thread may need it to come to an end. The timeout is for the deadlock.
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
class SlotsUnderHoldsTest {
  private static final int ELEMENTS = 128 << 10;

  private static CuRuntime open() {
    return CuRuntime.builder()
        .driver(SimulatedDriver.of(Preset.NVLINK, 2))
        .staging(1 << 20, 2)
        .open();
  }

  @Test
  void smallUploadsIntoAnArrayUnderALongUploadLetItEnd() {
    try (CuRuntime cuda = open();
        CuArray<Integer> array = cuda.device(0).zeros(DType.INT32, 64 * ELEMENTS)) {
      int[] all = new int[64 * ELEMENTS];
      int[] few = new int[ELEMENTS];
      Runnable whole = () -> repeat(5, () -> array.copyFrom(DType.INT32, all));
      Runnable part = () -> repeat(100, () -> array.slice(0, ELEMENTS).copyFrom(DType.INT32, few));
      Threads.runTogether(List.of(whole, part, part, part));
      assertThat(array.get(0)).isZero();
    }
  }

  @Test
  void smallDownloadsOfAnArrayUnderALongUploadLetOtherDownloadsGoOn() {
    try (CuRuntime cuda = open();
        CuArray<Integer> array = cuda.device(0).zeros(DType.INT32, 64 * ELEMENTS);
        CuArray<Integer> other = cuda.device(0).zeros(DType.INT32, 64 * ELEMENTS)) {
      int[] all = new int[64 * ELEMENTS];
      Runnable up =
          () ->
              repeat(
                  5,
                  () -> {
                    array.copyFrom(DType.INT32, all);
                    other.copyFrom(DType.INT32, all);
                  });
      Runnable down =
          () ->
              repeat(
                  5,
                  () -> {
                    other.toArray(DType.INT32);
                    array.toArray(DType.INT32);
                  });
      Runnable little =
          () ->
              repeat(
                  50,
                  () -> {
                    array.slice(0, ELEMENTS).toArray(DType.INT32);
                    other.slice(0, ELEMENTS).copyFrom(DType.INT32, new int[ELEMENTS]);
                  });
      Threads.runTogether(List.of(up, down, little, little, little));
      assertThat(array.get(0)).isZero();
    }
  }

  private static void repeat(int times, Runnable action) {
    for (int i = 0; i < times; i++) {
      action.run();
    }
  }

  @Test
  void uploadsThatWaitForALeaseLetTheLeaseholderUpload() throws Exception {
    besideALease(array -> array.copyFrom(DType.INT32, new int[ELEMENTS]));
  }

  @Test
  void downloadsThatWaitForALeaseLetTheLeaseholderDownload() throws Exception {
    besideALease(array -> array.toArray(DType.INT32));
  }

  private static void besideALease(Consumer<CuArray<Integer>> transfer) throws Exception {
    try (CuRuntime cuda = open()) {
      CuDevice device = cuda.device(0);
      try (CuStream stream = device.stream();
          CuArray<Integer> leased = device.zeros(DType.INT32, ELEMENTS);
          CuArray<Integer> other = device.zeros(DType.INT32, ELEMENTS)) {
        FutureTask<Void> waiting = new FutureTask<>(() -> transfer.accept(leased), null);
        try (CuLease lease = stream.lease(Access.readWrite(leased))) {
          Threads.startAndAwaitItsWaiting(waiting);
          transfer.accept(other);
          assertThat(lease.stream()).isNotZero();
        }
        waiting.get();
      }
    }
  }
}
