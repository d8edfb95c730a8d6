package org.cuarray.tests.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.cuarray.DType.INT32;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.cuarray.Access;
import org.cuarray.AllocatorKind;
import org.cuarray.CuArray;
import org.cuarray.CuClosedException;
import org.cuarray.CuDevice;
import org.cuarray.CuKernel;
import org.cuarray.CuLease;
import org.cuarray.CuModule;
import org.cuarray.CuRuntime;
import org.cuarray.CuStream;
import org.cuarray.HostArray;
import org.cuarray.KernelArg;
import org.cuarray.Launch;
import org.cuarray.PeerPolicy;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.InterceptedDriver;
import org.cuarray.driver.RecordingDriver;
import org.cuarray.driver.RecordingDriver.Call;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.multidevice.Threads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What another thread does while an operation is at a driver call, where it holds no lock. */
@Timeout(60)
class MeanwhileTest {
  private static final int LENGTH = 100;
  private static final byte[] IMAGE =
      ".version 9.0\n.target sm_90\n".getBytes(StandardCharsets.US_ASCII);

  private final SimulatedDriver machine =
      SimulatedDriver.builder()
          .preset(Preset.NVLINK)
          .devices(2)
          .seed(1)
          .kernel("nothing", List.of(8, 4), run -> {})
          .build();
  private final AtomicReference<Runnable> meanwhile = new AtomicReference<>();
  private String call = "";
  private final CudaDriver driver =
      InterceptedDriver.around(
          machine,
          (name, arguments, proceed) -> {
            if (name.equals(call)) {
              Runnable other = meanwhile.getAndSet(null);
              if (other != null) {
                other.run();
              }
            }
            return proceed.call();
          });

  @AfterEach
  void nothingWasUnorderedMisusedOrLeaked() {
    assertThat(meanwhile).as("what was to happen meanwhile").hasNullValue();
    assertThat(machine.findings()).isEmpty();
  }

  private void atFirst(String driverCall, Runnable other) {
    call = driverCall;
    meanwhile.set(other);
  }

  // ---- an array is closed ----------------------------------------------------------------------

  /**
   * An operation on an array.
   *
   * @param call a driver call that it makes before it locks anything
   * @param preparation gives what the operation does
   */
  record Use(
      String name, String call, BiFunction<CuRuntime, CuArray<Integer>, Runnable> preparation) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Use> uses() {
    String stream = "cuStreamCreateWithPriority";
    return Stream.of(
        new Use("a fill", stream, (cuda, array) -> () -> array.fill(1)),
        new Use("an upload", stream, (cuda, array) -> () -> array.copyFrom(INT32, new int[LENGTH])),
        new Use("a download", stream, (cuda, array) -> () -> array.toArray(INT32)),
        new Use(
            "a copy from it within the device",
            stream,
            (cuda, array) -> {
              CuArray<Integer> other = classic(cuda.device(0));
              return () -> array.copyTo(other);
            }),
        new Use(
            "a copy into it within the device",
            stream,
            (cuda, array) -> {
              CuArray<Integer> other = classic(cuda.device(0));
              return () -> other.copyTo(array);
            }),
        new Use(
            "a copy within it",
            stream,
            (cuda, array) -> {
              CuArray<Integer> front = array.slice(0, LENGTH - 1);
              CuArray<Integer> back = array.slice(1, LENGTH);
              return () -> front.copyTo(back);
            }),
        new Use(
            "a copy from it over a link",
            "cuCtxEnablePeerAccess",
            (cuda, array) -> {
              CuArray<Integer> other = classic(cuda.device(1));
              return () -> array.copyTo(other);
            }),
        new Use(
            "a copy from pinned memory",
            stream,
            (cuda, array) -> {
              HostArray<Integer> host = cuda.device(0).hostArray(INT32, LENGTH);
              return () -> array.copyFrom(host);
            }),
        new Use(
            "a launch",
            "cuModuleLoadDataEx",
            (cuda, array) -> {
              CuKernel kernel = cuda.load(IMAGE).kernel("nothing");
              return () -> kernel.launch(Launch.over(1), Access.write(array), KernelArg.int32(1));
            }),
        new Use(
            "a lease",
            "cuStreamIsCapturing",
            (cuda, array) -> {
              CuStream leased = cuda.device(0).stream();
              return () -> leased.lease(Access.write(array)).close();
            }));
  }

  private static CuArray<Integer> classic(CuDevice device) {
    return device.using(AllocatorKind.CLASSIC).empty(INT32, LENGTH);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("uses")
  void anArrayThatIsClosedMeanwhileIsRefused(Use use) {
    try (CuRuntime cuda = CuRuntime.open(driver);
        CuArray<Integer> array = classic(cuda.device(0))) {
      Runnable operation = use.preparation().apply(cuda, array);
      atFirst(use.call(), array::close);
      assertThatExceptionOfType(CuClosedException.class).isThrownBy(operation::run);
    }
  }

  @Test
  void anArrayThatIsClosedBeforeItsCopyThroughTheHostIsRefused() {
    try (CuRuntime cuda = inChunks();
        CuArray<Integer> source = classic(cuda.device(0));
        CuArray<Integer> destination = classic(cuda.device(1))) {
      atFirst("cuMemHostAlloc", destination::close);
      assertThatExceptionOfType(CuClosedException.class)
          .isThrownBy(() -> source.copyTo(destination));
    }
  }

  @Test
  void anArrayThatIsClosedBeforeItsManyChunksIsRefused() {
    int[] values = new int[100 * LENGTH];
    try (CuRuntime cuda = inChunks();
        CuArray<Integer> array = cuda.device(0).empty(INT32, values.length)) {
      atFirst("cuMemHostAlloc", array::close);
      assertThatExceptionOfType(CuClosedException.class)
          .isThrownBy(() -> array.copyFrom(INT32, values));
    }
  }

  private CuRuntime inChunks() {
    return CuRuntime.builder()
        .driver(driver)
        .peerPolicy(PeerPolicy.FORCE_HOST_STAGED)
        .staging(4 << 10, 2)
        .open();
  }

  @Test
  void pinnedMemoryThatIsClosedWhileTheHostWaitsForItIsRefused() {
    try (CuRuntime cuda = CuRuntime.open(driver);
        CuArray<Integer> three = cuda.device(0).full(INT32, 3, LENGTH);
        HostArray<Integer> host = cuda.device(0).hostArray(INT32, LENGTH)) {
      three.copyTo(host);
      FutureTask<Void> other = new FutureTask<>(() -> host.copyFrom(INT32, new int[LENGTH]), null);
      atFirst(
          "cuEventSynchronize",
          () -> {
            Threads.startAndAwaitItsWaiting(other);
            host.close();
          });
      assertThat(host.toArray(INT32)).containsOnly(3);
      assertThatExceptionOfType(ExecutionException.class)
          .isThrownBy(other::get)
          .withCauseInstanceOf(CuClosedException.class);
    }
  }

  @Test
  void aModuleThatIsClosedWhileItsLaunchWaitsForALeaseIsRefused() {
    try (CuRuntime cuda = CuRuntime.open(driver);
        CuModule module = cuda.load(IMAGE);
        CuStream leased = cuda.device(0).stream();
        CuArray<Integer> array = classic(cuda.device(0))) {
      CuKernel kernel = module.kernel("nothing");
      FutureTask<Void> launch =
          new FutureTask<>(
              () -> kernel.launch(Launch.over(1), Access.write(array), KernelArg.int32(1)), null);
      try (CuLease lease = leased.lease(Access.write(array))) {
        Threads.startAndAwaitItsWaiting(launch);
        module.close();
        assertThat(lease.pointer(array)).isNotZero();
      }
      assertThatExceptionOfType(ExecutionException.class)
          .isThrownBy(launch::get)
          .withCauseInstanceOf(CuClosedException.class);
    }
  }

  @Test
  void aModuleThatIsClosedStaysWhileItsKernelIsGivenSharedMemory() {
    RecordingDriver recording = new RecordingDriver(driver);
    try (CuRuntime cuda = CuRuntime.open(recording.driver());
        CuArray<Integer> array = classic(cuda.device(0))) {
      CuModule module = cuda.load(IMAGE);
      CuKernel kernel = module.kernel("nothing");
      kernel.launch(Launch.over(1), Access.write(array), KernelArg.int32(1));
      atFirst(
          "cuFuncSetAttribute",
          () -> {
            module.close();
            while (recording.calls("cuModuleUnload").isEmpty()
                && !waitsForALock("cuarray-reaper")) {
              Thread.onSpinWait();
            }
          });
      assertThatExceptionOfType(CuClosedException.class)
          .isThrownBy(
              () ->
                  kernel.launch(
                      Launch.over(1).shared(100_000), Access.write(array), KernelArg.int32(1)));
    }
    assertThat(recording.calls("cuFuncSetAttribute", "cuModuleUnload"))
        .extracting(Call::name, Call::status)
        .containsExactly(tuple("cuFuncSetAttribute", 0), tuple("cuModuleUnload", 0));
  }

  /** A thread of the library that waits for anything else does so for a time. */
  private static boolean waitsForALock(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(
            thread -> thread.getName().equals(name) && thread.getState() == Thread.State.WAITING);
  }

  @Test
  void aRuntimeThatIsClosedWhileADeviceGetsItsFirstArrayLeavesNoPool() throws Exception {
    RecordingDriver recording = new RecordingDriver(driver);
    CuRuntime cuda = CuRuntime.open(recording.driver());
    FutureTask<Void> close = new FutureTask<>(cuda::close, null);
    atFirst(
        "cuDevicePrimaryCtxRetain",
        () -> {
          new Thread(close).start();
          while (!close.isDone() && !waitsForALock("cuarray-closing")) {
            Thread.onSpinWait();
          }
        });
    assertThatExceptionOfType(CuClosedException.class)
        .isThrownBy(() -> cuda.device(0).empty(INT32, LENGTH));
    close.get();
    assertThat(recording.calls("cuMemPoolDestroy"))
        .hasSameSizeAs(recording.calls("cuMemPoolCreate"));
  }

  // ---- an array is used ------------------------------------------------------------------------

  @Test
  void aFillComesAfterTheDownloadThatIsUnderWay() {
    try (CuRuntime cuda = CuRuntime.open(driver);
        CuArray<Integer> array = cuda.device(0).full(INT32, 3, LENGTH)) {
      atFirst("cuEventSynchronize", () -> runAside(() -> array.fill(4)));
      assertThat(array.toArray(INT32)).containsOnly(3);
      assertThat(array.toArray(INT32)).containsOnly(4);
    }
  }

  @Test
  void aCopyIntoPinnedMemoryWaitsForTheHostThatReadsIt() throws Exception {
    try (CuRuntime cuda = CuRuntime.open(driver);
        CuArray<Integer> three = cuda.device(0).full(INT32, 3, LENGTH);
        CuArray<Integer> four = cuda.device(0).full(INT32, 4, LENGTH);
        HostArray<Integer> host = cuda.device(0).hostArray(INT32, LENGTH)) {
      three.copyTo(host);
      FutureTask<Void> other = new FutureTask<>(() -> four.copyTo(host), null);
      atFirst("cuEventSynchronize", () -> Threads.startAndAwaitItsWaiting(other));
      assertThat(host.toArray(INT32)).containsOnly(3);
      other.get();
      assertThat(host.toArray(INT32)).containsOnly(4);
    }
  }

  @Test
  void otherBytesOfAnArrayAreUsedWhileTheDriverTakesACopy() {
    try (CuRuntime cuda = CuRuntime.open(driver);
        CuArray<Integer> three = cuda.device(0).full(INT32, 3, LENGTH);
        CuArray<Integer> array = cuda.device(1).zeros(INT32, 2 * LENGTH)) {
      three.copyTo(array.slice(0, LENGTH));
      array.slice(LENGTH, 2 * LENGTH).fill(1);
      atFirst("cuMemcpyPeerAsync", () -> runAside(() -> array.slice(LENGTH, 2 * LENGTH).fill(4)));
      three.copyTo(array.slice(0, LENGTH));
      assertThat(array.slice(0, LENGTH).toArray(INT32)).containsOnly(3);
      assertThat(array.slice(LENGTH, 2 * LENGTH).toArray(INT32)).containsOnly(4);
    }
  }

  @Test
  void theSameBytesAreNotUsedWhileTheDriverTakesACopy() throws Exception {
    try (CuRuntime cuda = CuRuntime.open(driver);
        CuArray<Integer> three = cuda.device(0).full(INT32, 3, LENGTH);
        CuArray<Integer> array = cuda.device(1).zeros(INT32, LENGTH)) {
      three.copyTo(array);
      array.fill(1);
      FutureTask<Void> other = new FutureTask<>(() -> array.fill(4), null);
      atFirst("cuMemcpyPeerAsync", () -> Threads.startAndAwaitItsWaiting(other));
      three.copyTo(array);
      other.get();
      assertThat(array.toArray(INT32)).containsOnly(4);
    }
  }

  private static void runAside(Runnable action) {
    Thread thread = new Thread(action);
    thread.start();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
