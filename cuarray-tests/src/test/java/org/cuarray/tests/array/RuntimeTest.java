package org.cuarray.tests.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.cuarray.AllocatorKind;
import org.cuarray.CuArray;
import org.cuarray.CuClosedException;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.CuUnavailableException;
import org.cuarray.DType;
import org.cuarray.HostArray;
import org.cuarray.LeakReports;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.InterceptedDriver;
import org.cuarray.driver.RecordingDriver;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.multidevice.Threads;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Opening, what a runtime knows of its machine, and closing. */
class RuntimeTest {
  private static final String PROPERTY = "cuarray.driver";

  private final String before = System.getProperty(PROPERTY);

  @AfterEach
  void restoreTheProperty() {
    if (before == null) {
      System.clearProperty(PROPERTY);
    } else {
      System.setProperty(PROPERTY, before);
    }
  }

  @ParameterizedTest
  @EnumSource
  void thePropertyNamesASimulatedMachine(Preset preset) {
    System.setProperty(PROPERTY, "simulated:" + preset.presetName());
    assertThat(CuRuntime.unavailableReason()).isEmpty();
    try (CuRuntime cuda = CuRuntime.open();
        CuArray<Integer> array = cuda.device(1).full(DType.INT32, 3, 4)) {
      assertThat(cuda).asString().contains("simulated:" + preset.presetName());
      assertThat(array.toArray(DType.INT32)).containsExactly(3, 3, 3, 3);
    }
  }

  @Test
  void aDriverThatIsNoneIsRefusedAndAllOnesAreListed() {
    System.setProperty(PROPERTY, "metal");
    assertThatIllegalArgumentException()
        .isThrownBy(CuRuntime::open)
        .withMessageContaining("cuarray.driver=metal")
        .withMessageContaining("cuda or simulated:PRESET");
    System.setProperty(PROPERTY, "simulated:nvlnk");
    assertThatIllegalArgumentException()
        .isThrownBy(CuRuntime::open)
        .withMessageContaining("nvlnk")
        .withMessageContaining("nvlink");
  }

  @Test
  void withoutADriverOpeningFailsWithTheReasonAndNeverSimulates() {
    System.setProperty(PROPERTY, "cuda");
    Optional<String> reason = CuRuntime.unavailableReason();
    if (reason.isEmpty()) {
      try (CuRuntime cuda = CuRuntime.open()) {
        assertThat(cuda.devices()).isNotEmpty();
      }
    } else {
      assertThatExceptionOfType(CuUnavailableException.class)
          .isThrownBy(CuRuntime::open)
          .satisfies(failure -> assertThat(failure.reason()).isEqualTo(reason.get()));
    }
  }

  @Test
  void aRuntimeKnowsItsDevices() {
    try (CuRuntime cuda = CuRuntime.open(SimulatedDriver.of(Preset.MIXED))) {
      assertThat(cuda.devices()).extracting(CuDevice::ordinal).containsExactly(0, 1, 2, 3);
      assertThat(cuda.device(2)).isEqualTo(cuda.devices().get(2)).hasToString("cuda:2");
      assertThat(cuda.device(0).name()).isEqualTo("Simulated GPU 0 (mixed)");
      assertThat(cuda.device(0).uuid())
          .matches("GPU-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
          .isNotEqualTo(cuda.device(1).uuid());
      assertThat(cuda.device(0).totalMemory()).isEqualTo(139L << 30);
      assertThat(cuda.device(0).canAccessPeer(cuda.device(1))).isTrue();
      assertThat(cuda.device(0).canAccessPeer(cuda.device(2))).isFalse();
      assertThat(cuda.device(0).canAccessPeer(cuda.device(0))).isFalse();
      assertThat(cuda.topology().links()).hasSize(12);
    }
  }

  @Test
  void theDefaultAllocatorIsThePoolWhereThereIsOneAndWhatTheBuilderSays() {
    try (CuRuntime pools = CuRuntime.open(SimulatedDriver.of(Preset.NVLINK));
        CuRuntime none = CuRuntime.open(SimulatedDriver.of(Preset.NO_POOLS));
        CuRuntime classic =
            CuRuntime.builder()
                .driver(SimulatedDriver.of(Preset.NVLINK))
                .defaultAllocator(AllocatorKind.CLASSIC)
                .open()) {
      assertThat(allocator(pools)).isEqualTo(AllocatorKind.STREAM_ORDERED);
      assertThat(allocator(none)).isEqualTo(AllocatorKind.CLASSIC);
      assertThat(allocator(classic)).isEqualTo(AllocatorKind.CLASSIC);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> none.device(0).using(AllocatorKind.STREAM_ORDERED))
          .withMessageContaining("cuda:0 has no memory pools")
          .withMessageContaining("AllocatorKind.CLASSIC");
    }
  }

  private static AllocatorKind allocator(CuRuntime cuda) {
    try (CuArray<Byte> array = cuda.device(0).zeros(DType.INT8, 10)) {
      return array.allocator();
    }
  }

  @Test
  void anActionRunsInTheDevicesContextAndMayUseTheLibrary() {
    SimulatedDriver machine = SimulatedDriver.of(Preset.NVLINK);
    try (CuRuntime cuda = CuRuntime.open(machine);
        CuArray<Integer> array = cuda.device(0).full(DType.INT32, 4, 10)) {
      long[] current = new long[1];
      int seen =
          cuda.device(1)
              .callInContext(
                  () -> {
                    int element = array.get(3);
                    assertThat(machine.ctxGetCurrent(current)).isZero();
                    return element;
                  });
      assertThat(seen).isEqualTo(4);
      assertThat(current[0]).isEqualTo(cuda.registry().contextOf(cuda.device(1)));
      assertThatIllegalStateException()
          .isThrownBy(
              () ->
                  cuda.device(1)
                      .callInContext(
                          () -> {
                            throw new IllegalStateException("thrown by this test");
                          }));
      assertThat(machine.ctxGetCurrent(current)).isZero();
      assertThat(current[0]).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"NVLINK", "PCIE", "NO_POOLS", "MIRROR"})
  void closingGivesAllMemoryStreamsEventsAndPoolsBack(Preset preset) {
    SimulatedDriver machine = SimulatedDriver.of(preset, 2);
    RecordingDriver recording = new RecordingDriver(machine);
    CuRuntime cuda =
        CuRuntime.builder().driver(recording.driver()).leakReports(LeakReports.OFF).open();
    List<CuArray<Integer>> arrays = new ArrayList<>();
    for (CuDevice device : cuda.devices()) {
      arrays.add(device.full(DType.INT32, 1, 3 << 20));
      arrays.add(device.using(AllocatorKind.CLASSIC).full(DType.INT32, 2, 3 << 20));
    }
    HostArray<Integer> pinned = cuda.device(0).hostArray(DType.INT32, 3 << 20);
    for (CuArray<Integer> from : arrays) {
      for (CuArray<Integer> to : arrays) {
        from.copyTo(to);
      }
      from.copyTo(pinned);
      from.slice(0, 100).copyTo(from.slice(1, 101));
      from.set(1, 0);
      assertThat(from.toArray(DType.INT32)).hasSize(3 << 20);
    }
    cuda.close();
    cuda.close();
    assertThat(cuda.isClosed()).isTrue();
    assertThat(machine.findings()).isEmpty();
    assertThat(recording.calls("cuStreamDestroy"))
        .hasSameSizeAs(recording.calls("cuStreamCreateWithPriority"));
    assertThat(recording.calls("cuEventDestroy")).hasSameSizeAs(recording.calls("cuEventCreate"));
    assertThat(recording.calls("cuMemPoolDestroy"))
        .hasSameSizeAs(recording.calls("cuMemPoolCreate"));
  }

  @Test
  void aClosedRuntimeAllocatesNothing() {
    CuRuntime cuda = CuRuntime.open(SimulatedDriver.of(Preset.NVLINK, 2));
    CuDevice device = cuda.device(0);
    CuArray<Integer> empty = device.zeros(DType.INT32, 0);
    cuda.close();
    for (Runnable use :
        List.<Runnable>of(
            () -> device.zeros(DType.INT32, 4),
            () -> device.zeros(DType.INT32, 0),
            () -> device.array(DType.INT32, new int[4]),
            () -> device.hostArray(DType.INT32, 4),
            () -> device.wrap(DType.INT32, 4096, 4L),
            device::memoryUsage,
            () -> device.callInContext(() -> 1),
            cuda::synchronize,
            empty::synchronize,
            () -> empty.toArray(DType.INT32))) {
      assertThatExceptionOfType(CuClosedException.class).isThrownBy(use::run);
    }
  }

  @Test
  void twoRuntimesOfOneProcessHaveTheirOwnMemory() {
    SimulatedDriver machine = SimulatedDriver.of(Preset.NVLINK, 2);
    try (CuRuntime one = CuRuntime.open(machine)) {
      try (CuRuntime other = CuRuntime.open(machine);
          CuArray<Integer> ofOther = other.device(0).zeros(DType.INT32, 1000)) {
        assertThat(other.device(0).memoryUsage().used()).isEqualTo(4000);
        assertThat(one.device(0).memoryUsage().used()).isZero();
        assertThat(ofOther.isClosed()).isFalse();
      }
      try (CuArray<Integer> array = one.device(0).full(DType.INT32, 6, 10)) {
        assertThat(array.get(9)).isEqualTo(6);
      }
    }
    assertThat(machine.findings()).isEmpty();
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
  void threadsThatStillCopyWhenTheRuntimeIsClosedAreToldSo() {
    SimulatedDriver machine = SimulatedDriver.of(Preset.PCIE, 2);
    for (int round = 0; round < 10; round++) {
      CuRuntime cuda = CuRuntime.builder().driver(machine).leakReports(LeakReports.OFF).open();
      CuArray<Integer> a = cuda.device(0).zeros(DType.INT32, 50_000);
      CuArray<Integer> b = cuda.device(1).zeros(DType.INT32, 50_000);
      CountDownLatch copying = new CountDownLatch(3);
      Runnable copies =
          () -> {
            assertThatExceptionOfType(CuClosedException.class)
                .isThrownBy(
                    () -> {
                      while (true) {
                        a.copyTo(b);
                        b.toArray(DType.INT32);
                        copying.countDown();
                      }
                    });
          };
      Runnable closing =
          () -> {
            try {
              copying.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            cuda.close();
          };
      Threads.runTogether(List.of(copies, copies, copies, closing));
    }
    assertThat(machine.findings()).isEmpty();
  }

  @Test
  void arraysThatAreClosedWhileTheRuntimeIsClosedAreFreedBeforeItsStreamsAndPools() {
    for (int round = 0; round < 300; round++) {
      SimulatedDriver machine = SimulatedDriver.of(Preset.PCIE, 2);
      CuRuntime cuda = CuRuntime.open(machine);
      List<CuArray<Integer>> arrays = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        arrays.add(cuda.device(0).full(DType.INT32, 1, 10));
      }
      CyclicBarrier start = new CyclicBarrier(2);
      Threads.runTogether(
          List.of(
              () -> {
                await(start);
                arrays.forEach(CuArray::close);
              },
              () -> {
                await(start);
                cuda.close();
              }));
      assertThat(machine.findings()).isEmpty();
    }
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
  void whoeverClosesARuntimeSecondReturnsWhenItsMemoryIsBack() {
    AtomicReference<Thread> second = new AtomicReference<>();
    AtomicBoolean givenBack = new AtomicBoolean();
    SimulatedDriver machine = SimulatedDriver.of(Preset.PCIE, 2);
    CudaDriver slow =
        InterceptedDriver.around(
            machine,
            (call, arguments, proceed) -> {
              if (!call.equals("cuMemPoolDestroy")) {
                return proceed.call();
              }
              // Goes on when the second thread waits, or has found out that it does not.
              while (isRunning(second.get())) {
                Thread.onSpinWait();
              }
              int status = proceed.call();
              givenBack.set(true);
              return status;
            });
    CuRuntime cuda = CuRuntime.open(slow);
    cuda.device(0).zeros(DType.INT32, 10).close();
    Threads.runTogether(
        List.of(
            cuda::close,
            () -> {
              while (!cuda.isClosed()) {
                Thread.onSpinWait();
              }
              second.set(Thread.currentThread());
              cuda.close();
              assertThat(givenBack).isTrue();
            }));
    assertThat(machine.findings()).isEmpty();
  }

  private static boolean isRunning(@Nullable Thread thread) {
    return thread == null || thread.getState() == Thread.State.RUNNABLE;
  }

  @Test
  void aLogHandlerThatThrowsKeepsNothingOpen() {
    SimulatedDriver machine = SimulatedDriver.of(Preset.PCIE, 2);
    Handler failing =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            throw new IllegalStateException("thrown on purpose");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger("org.cuarray");
    try (LogCapture quiet = new LogCapture()) {
      logger.addHandler(failing);
      CuRuntime cuda = CuRuntime.open(machine);
      CuArray<Integer> one = cuda.device(0).zeros(DType.INT32, 10);
      CuArray<Integer> other = cuda.device(1).zeros(DType.INT32, 10);
      cuda.close();
      assertThat(one.isClosed()).isTrue();
      assertThat(other.isClosed()).isTrue();
      assertThat(quiet.records()).hasSize(2);
    } finally {
      logger.removeHandler(failing);
    }
    assertThat(machine.findings()).isEmpty();
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
  }
}
