package org.cuarray.tests.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.tests.conformance.DriverRig.ok;

import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.cuarray.AllocatorKind;
import org.cuarray.CuArray;
import org.cuarray.CuRuntime;
import org.cuarray.DType;
import org.cuarray.HostArray;
import org.cuarray.LeakReports;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.memory.LeakWatch;
import org.cuarray.stream.Releasable;
import org.cuarray.tests.conformance.DriverRig;
import org.cuarray.tests.multidevice.Threads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Owners that were forgotten: freed by the collector and reported, or by closing the runtime. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
class LeakTest {
  private final SimulatedDriver machine = SimulatedDriver.of(Preset.NVLINK, 2);
  private final LogCapture log = new LogCapture();

  @AfterEach
  void nothingIsLeft() {
    log.close();
    assertThat(machine.findings()).isEmpty();
  }

  private CuRuntime open(LeakReports reports) {
    return CuRuntime.builder().driver(machine).leakReports(reports).open();
  }

  /** The report comes first, on the cleaner's thread, and then the memory is freed. */
  private void awaitFreed(int bytes) {
    while (machine.findings().stream()
        .anyMatch(leak -> leak.message().contains(", " + bytes + " bytes"))) {
      Thread.onSpinWait();
    }
  }

  private static void forgetAnArray(CuRuntime cuda, AllocatorKind kind) {
    CuArray<Integer> forgotten = cuda.device(0).using(kind).zeros(DType.INT32, 12, 34);
    assertThat(forgotten.get(0, 0)).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void aForgottenArrayIsFreedAndReportedWithThePlaceThatAllocatedIt(AllocatorKind kind)
      throws InterruptedException {
    try (CuRuntime cuda = open(LeakReports.EVERY_ALLOCATION)) {
      forgetAnArray(cuda, kind);
      LogRecord report = log.awaitWhileCollecting();
      assertThat(report).isNotNull();
      assertThat(report.getLevel()).isEqualTo(Level.WARNING);
      assertThat(report.getMessage())
          .contains("int32 [12, 34] on cuda:0 was never closed", "freed now");
      assertThat(Arrays.toString(report.getThrown().getStackTrace())).contains("forgetAnArray");
      awaitFreed(12 * 34 * Integer.BYTES);
    }
  }

  @Test
  void aForgottenHostArrayIsFreedAndReported() throws InterruptedException {
    try (CuRuntime cuda = open(LeakReports.EVERY_ALLOCATION)) {
      forgetAHostArray(cuda);
      LogRecord report = log.awaitWhileCollecting();
      assertThat(report).isNotNull();
      assertThat(report.getMessage()).contains("int32 [77] in pinned host memory");
      awaitFreed(77 * Integer.BYTES);
    }
  }

  private static void forgetAHostArray(CuRuntime cuda) {
    HostArray<Integer> forgotten = cuda.device(0).hostArray(DType.INT32, 77);
    forgotten.set(1, 0);
  }

  @Test
  void withoutPlacesTheReportSaysHowToGetThem() throws InterruptedException {
    try (CuRuntime cuda = open(LeakReports.SAMPLED)) {
      // The first allocation is the one that is sampled.
      cuda.device(0).zeros(DType.INT32, 1).close();
      forgetAnArray(cuda, AllocatorKind.CLASSIC);
      LogRecord report = log.awaitWhileCollecting();
      assertThat(report).isNotNull();
      assertThat(report.getThrown()).isNull();
      assertThat(report.getMessage()).contains("LeakReports.EVERY_ALLOCATION");
      awaitFreed(12 * 34 * Integer.BYTES);
    }
  }

  @Test
  void withReportsOffForgottenMemoryIsFreedInSilence() throws InterruptedException {
    try (CuRuntime cuda = open(LeakReports.OFF)) {
      CountDownLatch released = new CountDownLatch(1);
      try (DriverRig application = new DriverRig(machine)) {
        long pointer = application.classic(0, 64);
        forgetAWrappedArray(cuda, pointer, released);
        for (int i = 0; i < 100 && released.getCount() > 0; i++) {
          System.gc();
          boolean done = released.await(50, TimeUnit.MILLISECONDS);
          assertThat(done).isEqualTo(released.getCount() == 0);
        }
        assertThat(released.getCount()).isZero();
      }
    }
    assertThat(log.records()).isEmpty();
    ok(machine.ctxSetCurrent(0));
  }

  private static void forgetAWrappedArray(CuRuntime cuda, long pointer, CountDownLatch released) {
    CuArray<Integer> forgotten =
        cuda.device(0).wrap(DType.INT32, pointer, released::countDown, 16L);
    forgotten.fill((Integer) 1);
  }

  @Test
  void whatWasClosedIsNotReported() throws InterruptedException {
    try (CuRuntime cuda = open(LeakReports.EVERY_ALLOCATION)) {
      for (int i = 0; i < 20; i++) {
        closeAnArray(cuda);
      }
      forgetAnArray(cuda, AllocatorKind.STREAM_ORDERED);
      assertThat(log.awaitWhileCollecting()).isNotNull();
      assertThat(log.records()).hasSize(1);
      awaitFreed(12 * 34 * Integer.BYTES);
    }
  }

  private static void closeAnArray(CuRuntime cuda) {
    CuArray<Integer> array = cuda.device(0).zeros(DType.INT32, 5);
    CuArray<Integer> retained = array.retain();
    array.close();
    retained.close();
  }

  @Test
  void aViewKeepsItsOwnerFromBeingForgotten() {
    try (CuRuntime cuda = open(LeakReports.EVERY_ALLOCATION)) {
      CuArray<Integer> owner = cuda.device(0).full(DType.INT32, 7, 10);
      WeakReference<CuArray<Integer>> weak = new WeakReference<>(owner);
      CuArray<Integer> view = owner.slice(0, 8).reshape(2, 4).slice(1, 2);
      HostArray<Integer> rows = cuda.device(0).hostArray(DType.INT32, 4, 4).slice(1, 2);
      owner = null;
      for (int i = 0; i < 5; i++) {
        System.gc();
      }
      assertThat(weak.get()).isSameAs(view.owner());
      assertThat(view.get(0, 3)).isEqualTo(7);
      rows.set(3, 0, 0);
      assertThat(rows.get(0, 0)).isEqualTo(3);
      assertThat(log.records()).isEmpty();
      view.owner().close();
    }
    assertThat(log.records()).as("the host array, whose owner nobody can close").hasSize(1);
  }

  @Test
  void closingTheRuntimeClosesAndReportsWhatIsStillOpen() {
    CuRuntime cuda = open(LeakReports.EVERY_ALLOCATION);
    CuArray<Integer> array = cuda.device(0).zeros(DType.INT32, 3);
    HostArray<Integer> pinned = cuda.device(1).hostArray(DType.INT32, 4);
    array.copyTo(DType.INT32, new int[3]);
    cuda.close();
    assertThat(array.isClosed()).isTrue();
    assertThat(pinned.isClosed()).isTrue();
    assertThat(log.records())
        .extracting(LogRecord::getMessage)
        .hasSize(2)
        .anyMatch(message -> message.contains("int32 [3] on cuda:0 was still open"))
        .anyMatch(message -> message.contains("int32 [4] in pinned host memory was still open"));
    array.close();
    pinned.close();
  }

  @Test
  void whatTheCleanerAndTheRuntimeFindAtTheSameTimeIsReportedOnce() {
    for (int round = 0; round < 2000; round++) {
      log.clear();
      LeakWatch watch = new LeakWatch(LeakReports.SAMPLED);
      Cleaner.Cleanable found = watch.watch(new Object(), new SlowOwner(), "an owner");
      Threads.runTogether(List.of(found::clean, watch::closeAll));
      assertThat(log.records()).hasSize(1);
    }
  }

  /** One that takes a moment to close, in which another thread sees it open. */
  private static final class SlowOwner implements Releasable {
    private volatile boolean closed;

    @Override
    public boolean isClosed() {
      boolean seen = closed;
      linger();
      return seen;
    }

    @Override
    public void close() {
      linger();
      closed = true;
    }

    private static void linger() {
      for (int i = 0; i < 500; i++) {
        Thread.onSpinWait();
      }
    }
  }
}
