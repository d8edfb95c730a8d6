package org.cuarray.tests.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.cuarray.tests.conformance.DriverRig.ok;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.LogRecord;
import org.cuarray.Access;
import org.cuarray.CuArray;
import org.cuarray.CuClosedException;
import org.cuarray.CuDevice;
import org.cuarray.CuLease;
import org.cuarray.CuRuntime;
import org.cuarray.CuStream;
import org.cuarray.DType;
import org.cuarray.LeakReports;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.InterceptedDriver;
import org.cuarray.driver.RecordingDriver;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.multidevice.Threads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Leases: other libraries' work in its place in the order, and what is refused meanwhile. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
class LeaseTest {
  private static final int SIZE = 1000;

  private final SimulatedDriver machine = SimulatedDriver.of(Preset.NVLINK, 2);
  private final AtomicBoolean capturing = new AtomicBoolean();
  private final RecordingDriver recording =
      new RecordingDriver(
          InterceptedDriver.around(
              machine,
              (call, arguments, proceed) -> {
                int status = proceed.call();
                if (call.equals("cuStreamIsCapturing")) {
                  ((int[]) arguments[1])[0] = capturing.get() ? 1 : 0;
                }
                return status;
              }));
  private final CudaDriver driver = recording.driver();
  private final CuRuntime cuda =
      CuRuntime.builder().driver(driver).leakReports(LeakReports.EVERY_ALLOCATION).open();
  private final CuDevice gpu0 = cuda.device(0);
  private final CuDevice gpu1 = cuda.device(1);

  @AfterEach
  void nothingIsLeft() {
    cuda.close();
    assertThat(machine.findings()).isEmpty();
  }

  private long currentContext() {
    long[] context = new long[1];
    ok(driver.ctxGetCurrent(context));
    return context[0];
  }

  @Test
  void theDevicesContextIsCurrentWhileALeaseIsOpen() {
    try (CuStream stream = gpu1.stream()) {
      assertThat(currentContext()).isZero();
      try (CuLease lease = stream.lease()) {
        assertThat(lease.stream()).isNotZero();
        assertThat(currentContext()).isEqualTo(cuda.registry().contextOf(gpu1));
      }
      assertThat(currentContext()).isZero();
    }
  }

  @Test
  void aConflictingUseByTheSameThreadIsRefusedAndNamesTheLease() {
    try (CuArray<Integer> leased = gpu0.zeros(DType.INT32, SIZE);
        CuArray<Integer> other = gpu1.full(DType.INT32, (Integer) 3, SIZE);
        CuStream stream = gpu0.stream("solver", 0);
        CuLease lease = stream.lease(Access.write(leased))) {
      for (Runnable use :
          List.<Runnable>of(
              () -> other.copyTo(leased),
              () -> leased.copyTo(other),
              () -> leased.fill((Integer) 1),
              () -> leased.toArray(DType.INT32),
              () -> leased.copyFrom(DType.INT32, new int[SIZE]),
              () -> leased.slice(7, 8).synchronize(),
              () -> stream.lease(Access.read(leased)))) {
        assertThatIllegalStateException()
            .isThrownBy(use::run)
            .withMessageContaining("a lease of stream solver on cuda:0");
      }
      assertThat(other.get(SIZE - 1)).isEqualTo(3);
      assertThat(lease.pointer(leased)).isEqualTo(leased.pointer());
    }
  }

  @Test
  void whatALeaseReadsMayBeReadMeanwhile() {
    try (CuArray<Integer> leased = gpu0.full(DType.INT32, (Integer) 5, SIZE);
        CuArray<Integer> other = gpu1.zeros(DType.INT32, SIZE);
        CuStream stream = gpu0.stream();
        CuLease lease = stream.lease(Access.read(leased))) {
      leased.copyTo(other);
      assertThat(other.toArray(DType.INT32)).containsOnly(5);
      assertThatIllegalStateException().isThrownBy(() -> leased.fill((Integer) 6));
      assertThat(lease.pointer(leased)).isNotZero();
    }
  }

  @Test
  void aConflictingUseByAnotherThreadWaitsForTheEndOfTheLease() throws InterruptedException {
    try (CuArray<Integer> leased = gpu0.zeros(DType.INT32, SIZE);
        CuStream stream = gpu0.stream()) {
      Thread other = new Thread(() -> leased.fill((Integer) 9));
      other.setDaemon(true);
      try (CuLease lease = stream.lease(Access.write(leased))) {
        other.start();
        while (other.getState() != Thread.State.WAITING) {
          Thread.onSpinWait();
        }
        ok(driver.memsetD8Async(lease.pointer(leased), (byte) 1, 4L * SIZE, lease.stream()));
      }
      other.join();
      assertThat(leased.toArray(DType.INT32)).containsOnly(9);
    }
  }

  @Test
  void onlyDeclaredArraysHaveAPointer() {
    try (CuArray<Integer> declared = gpu0.zeros(DType.INT32, SIZE);
        CuArray<Integer> undeclared = gpu0.zeros(DType.INT32, 7);
        CuArray<Integer> elsewhere = gpu1.zeros(DType.INT32, SIZE);
        CuStream stream = gpu0.stream()) {
      try (CuLease lease = stream.lease(Access.read(declared))) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> lease.pointer(undeclared))
            .withMessageContaining("int32 [7]")
            .withMessageContaining("int32 [1000]");
      }
      assertThatIllegalArgumentException()
          .isThrownBy(() -> stream.lease(Access.read(elsewhere)))
          .withMessageContaining("cuda:1")
          .withMessageContaining("cuda:0");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> stream.lease(Access.read(declared), Access.write(declared)))
          .withMessageContaining("twice");
      assertThat(currentContext()).isZero();
    }
  }

  @Test
  void aClosedLeaseGivesNothingAndMayBeClosedAgain() {
    try (CuArray<Integer> array = gpu0.zeros(DType.INT32, SIZE);
        CuStream stream = gpu0.stream()) {
      CuLease lease = stream.lease(Access.read(array));
      lease.close();
      lease.close();
      assertThatExceptionOfType(CuClosedException.class).isThrownBy(lease::stream);
      assertThatExceptionOfType(CuClosedException.class).isThrownBy(() -> lease.pointer(array));
      array.fill((Integer) 1);
    }
  }

  @Test
  void aLeaseIsClosedByTheThreadThatOpenedIt() throws InterruptedException {
    try (CuStream stream = gpu0.stream();
        CuLease lease = stream.lease()) {
      Thread other =
          new Thread(
              () ->
                  assertThatIllegalStateException()
                      .isThrownBy(lease::close)
                      .withMessageContaining("must be closed by it"));
      AtomicBoolean failed = new AtomicBoolean();
      other.setUncaughtExceptionHandler((thread, failure) -> failed.set(true));
      other.start();
      other.join();
      assertThat(failed).isFalse();
      assertThat(lease.stream()).isNotZero();
    }
  }

  @Test
  void aCapturingStreamIsNotLeased() {
    try (CuArray<Integer> array = gpu0.zeros(DType.INT32, SIZE);
        CuStream stream = gpu0.stream()) {
      capturing.set(true);
      recording.clear();
      assertThatIllegalStateException()
          .isThrownBy(() -> stream.lease(Access.write(array)))
          .withMessageContaining("is capturing a graph");
      assertThat(recording.calls())
          .extracting(RecordingDriver.Call::name)
          .containsOnly("cuCtxPushCurrent", "cuStreamIsCapturing", "cuCtxPopCurrent");
      capturing.set(false);
      array.fill((Integer) 1);
    }
  }

  @Test
  void aLeaseOfAStreamThatCapturesMeanwhileStaysOpenUntilTheCaptureEnds() {
    try (CuArray<Integer> array = gpu0.zeros(DType.INT32, SIZE);
        CuStream stream = gpu0.stream()) {
      CuLease lease = stream.lease(Access.write(array));
      capturing.set(true);
      recording.clear();
      assertThatIllegalStateException()
          .isThrownBy(lease::close)
          .withMessageContaining("end the capture first");
      assertThat(recording.calls())
          .extracting(RecordingDriver.Call::name)
          .containsOnly("cuCtxPushCurrent", "cuStreamIsCapturing", "cuCtxPopCurrent");
      assertThat(lease.stream()).isNotZero();
      capturing.set(false);
      lease.close();
      assertThat(currentContext()).isZero();
      array.fill((Integer) 1);
    }
  }

  /** The driver must not be asked about a stream that was destroyed. */
  @Test
  void aStreamThatIsClosedBesideItsLeasesIsSaidToBeClosed() {
    for (int round = 0; round < 300; round++) {
      CuStream stream = gpu0.stream();
      Threads.runTogether(
          List.of(
              stream::close,
              () -> {
                try {
                  stream.lease().close();
                } catch (CuClosedException e) {
                  assertThat(e).hasMessageContaining("closed");
                }
              }));
    }
  }

  @Test
  void aStreamThatIsClosedBesideItsLeasesIsDestroyedWithTheLastOfThem() {
    CuStream stream = gpu0.stream();
    CuLease first = stream.lease();
    CuLease last = stream.lease();
    stream.close();
    last.close();
    assertThat(recording.calls("cuStreamDestroy")).isEmpty();
    first.close();
    assertThat(recording.calls("cuStreamDestroy")).hasSize(1);
  }

  @Test
  void aLeaseThatIsNeverClosedIsReportedAndEnds() throws InterruptedException {
    try (LogCapture log = new LogCapture();
        CuArray<Integer> array = gpu0.zeros(DType.INT32, SIZE);
        CuStream stream = gpu0.stream("forgetful", 0)) {
      Thread forgetful = new Thread(() -> forgetALease(stream, array));
      forgetful.start();
      forgetful.join();
      LogRecord report = log.awaitWhileCollecting();
      assertThat(report).isNotNull();
      assertThat(report.getMessage())
          .contains("a lease of stream forgetful on cuda:0 was never closed");
      array.fill((Integer) 4);
      assertThat(array.get(0)).isEqualTo(4);
    }
  }

  private static void forgetALease(CuStream stream, CuArray<Integer> array) {
    CuLease forgotten = stream.lease(Access.write(array));
    assertThat(forgotten.pointer(array)).isNotZero();
  }

  @Test
  void closingTheRuntimeEndsALeaseAndItsThreadStillGetsItsContextBack() {
    try (LogCapture log = new LogCapture()) {
      CuArray<Integer> array = gpu0.zeros(DType.INT32, SIZE);
      CuStream stream = gpu0.stream();
      CuLease lease = stream.lease(Access.write(array));
      cuda.close();
      assertThat(log.records())
          .extracting(LogRecord::getMessage)
          .anyMatch(message -> message.startsWith("a lease of stream"))
          .anyMatch(message -> message.startsWith("int32 [1000] on cuda:0 was still open"))
          .noneMatch(message -> message.contains("allocations were still in use"));
      assertThatExceptionOfType(CuClosedException.class).isThrownBy(lease::stream);
      lease.close();
      assertThat(currentContext()).isZero();
      assertThatCode(stream::close).doesNotThrowAnyException();
    }
  }

  @Test
  void unnamedStreamsAreToldApart() {
    try (CuStream one = gpu0.stream();
        CuStream other = gpu0.stream()) {
      assertThat(one).asString().matches("stream #\\d+ on cuda:0").isNotEqualTo(other.toString());
    }
  }
}
