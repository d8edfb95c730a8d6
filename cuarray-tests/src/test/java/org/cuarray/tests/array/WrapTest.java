package org.cuarray.tests.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.cuarray.tests.conformance.DriverRig.ok;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.cuarray.Access;
import org.cuarray.AllocatorKind;
import org.cuarray.CuArray;
import org.cuarray.CuClosedException;
import org.cuarray.CuDevice;
import org.cuarray.CuLease;
import org.cuarray.CuRuntime;
import org.cuarray.CuScope;
import org.cuarray.CuStream;
import org.cuarray.DType;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.InterceptedDriver;
import org.cuarray.driver.RecordingDriver;
import org.cuarray.driver.RecordingDriver.Call;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.registry.PointerTable;
import org.cuarray.tests.conformance.DriverRig;
import org.cuarray.tests.multidevice.Threads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays over memory by its address: whose it stays, how long it is used, when it is released. */
class WrapTest {
  private static final long SIZE = 1000;
  private static final long BYTES = SIZE * Integer.BYTES;

  private final SimulatedDriver machine = SimulatedDriver.of(Preset.PCIE, 2);
  private final RecordingDriver recording = new RecordingDriver(machine);
  private final DriverRig application = new DriverRig(recording.driver());
  private final CuRuntime cuda = CuRuntime.open(recording.driver());
  private final CuDevice gpu0 = cuda.device(0);
  private final CuDevice gpu1 = cuda.device(1);
  private final CuScope scope = cuda.scope();

  @AfterEach
  void nothingIsLeft() {
    scope.close();
    cuda.close();
    application.close();
    assertThat(machine.findings()).isEmpty();
  }

  @Test
  void memoryOfOthersIsUsedAndNeverFreed() {
    for (long pointer : new long[] {application.classic(0, BYTES), application.pooled(0, BYTES)}) {
      application.fill(0, pointer, 1, BYTES);
      CuArray<Integer> array = gpu0.wrap(DType.INT32, pointer, SIZE);
      assertThat(array.pointer()).isEqualTo(pointer);
      assertThat(array.toArray(DType.INT32)).containsOnly(0x01010101);
      array.fill((Integer) 0);
      CuArray<Integer> copy = scope.keep(array.to(gpu1));
      array.close();
      assertThat(copy.toArray(DType.INT32)).containsOnly(0);
      assertThat(application.read(0, pointer, 4)).containsExactly(0, 0, 0, 0);
      assertThat(recording.calls("cuMemFree", "cuMemFreeAsync"))
          .noneMatch(call -> call.argument(0) == pointer);
    }
  }

  @Test
  void aProducerThatIsStillRunningIsWaitedFor() {
    long pointer = application.classic(0, BYTES);
    recording.clear();
    scope.keep(gpu0.wrap(DType.INT32, pointer, SIZE));
    assertThat(recording.calls("cuCtxSynchronize")).hasSize(1);
  }

  @Test
  void partOfAnAllocationIsWrappedAndNoMore() {
    long pointer = application.classic(0, BYTES);
    CuArray<Integer> inner = scope.keep(gpu0.wrap(DType.INT32, pointer + 400, 900L));
    assertThat(inner.size()).isEqualTo(900);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> gpu0.wrap(DType.INT32, pointer + 400, 901L))
        .withMessageContaining("int32 [901] on cuda:0 takes 3604 bytes")
        .withMessageContaining("ends 3600 bytes after 0x" + Long.toHexString(pointer + 400));
  }

  @Test
  void misalignedUnknownAndForeignAddressesAreRefused() {
    long pointer = application.classic(0, BYTES);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> gpu0.wrap(DType.INT32, pointer + 2, 10L))
        .withMessageContaining("not aligned to the 4 bytes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> gpu1.wrap(DType.INT32, pointer, 10L))
        .withMessageContaining("is memory of cuda:0")
        .withMessageContaining("int32 [10] on cuda:1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> gpu0.wrap(DType.INT32, 0x1000, 10L))
        .withMessageContaining("0x1000 is not an address that CUDA knows");
  }

  @Test
  void aReleaseThatIsRefusedDoesNotRun() {
    AtomicInteger released = new AtomicInteger();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> gpu0.wrap(DType.INT32, 0x1000, released::incrementAndGet, SIZE));
    cuda.close();
    assertThat(released).hasValue(0);
  }

  /** Runs once, and says so. */
  private static final class Release implements Runnable {
    private final AtomicInteger runs = new AtomicInteger();
    private final CountDownLatch ran = new CountDownLatch(1);
    private volatile Thread thread;

    @Override
    public void run() {
      thread = Thread.currentThread();
      runs.incrementAndGet();
      ran.countDown();
    }

    void await() throws InterruptedException {
      assertThat(ran.await(1, TimeUnit.MINUTES)).as("released").isTrue();
    }
  }

  @Test
  void theReleaseRunsOnceOnAThreadOfTheLibraryAfterTheLastUse() throws InterruptedException {
    long pointer = application.classic(0, BYTES);
    Release release = new Release();
    CuArray<Integer> array = gpu0.wrap(DType.INT32, pointer, release, SIZE);
    CuArray<Integer> there = scope.keep(gpu1.zeros(DType.INT32, SIZE));
    array.fill((Integer) 4);
    array.copyTo(there);
    assertThat(release.runs).hasValue(0);
    recording.clear();
    array.close();
    array.close();
    release.await();
    cuda.close();
    assertThat(release.runs).hasValue(1);
    assertThat(release.thread).isNotSameAs(Thread.currentThread());
    assertThat(recording.calls("cuEventSynchronize")).as("waits for the last use").isNotEmpty();
  }

  @Test
  void theReleaseRunsAfterTheLastOfTheOwnersRetainedFromIt() throws InterruptedException {
    long pointer = application.classic(0, BYTES);
    Release release = new Release();
    CuArray<Integer> array = gpu0.wrap(DType.INT32, pointer, release, SIZE);
    CuArray<Integer> retained = array.retain();
    CuArray<Integer> again = retained.slice(0, 10).retain();
    array.close();
    retained.close();
    assertThat(again.size()).isEqualTo(10);
    again.fill((Integer) 3);
    assertThat(again.get(9)).isEqualTo(3);
    assertThat(release.runs).hasValue(0);
    again.close();
    release.await();
    cuda.close();
    assertThat(release.runs).hasValue(1);
  }

  @Test
  void aReleaseThatThrowsDoesNotStopTheNext() throws InterruptedException {
    long pointer = application.classic(0, BYTES);
    Release release = new Release();
    gpu0.wrap(
            DType.INT32,
            pointer,
            () -> {
              throw new IllegalStateException("a producer's fault, thrown by this test");
            },
            SIZE)
        .close();
    gpu0.wrap(DType.INT32, pointer, release, SIZE).close();
    release.await();
  }

  @Test
  void closingTheRuntimeReleasesWhatIsStillWrapped() {
    long pointer = application.classic(0, BYTES);
    Release release = new Release();
    CuArray<Integer> array = gpu0.wrap(DType.INT32, pointer, release, SIZE);
    cuda.close();
    assertThat(array.isClosed()).isTrue();
    assertThat(release.runs).hasValue(1);
  }

  @Test
  void aWrappedArrayOfOursEndsWithTheArrayThatOwnsIt() {
    for (AllocatorKind kind : AllocatorKind.values()) {
      CuArray<Integer> array = gpu0.using(kind).full(DType.INT32, 5, SIZE);
      CuArray<Integer> wrapped = scope.keep(gpu0.wrap(DType.INT32, array.pointer() + 4, 10L));
      assertThat(wrapped.toArray(DType.INT32)).containsOnly(5);
      wrapped.fill((Integer) 6);
      assertThat(array.get(10)).isEqualTo(6);
      assertThat(array.get(11)).isEqualTo(5);
      array.close();
      assertThat(wrapped.isClosed()).isTrue();
      assertThatExceptionOfType(CuClosedException.class)
          .isThrownBy(() -> wrapped.get(0))
          .withMessageContaining("int32 [10] on cuda:0");
    }
  }

  @Test
  void closingAWrappedArrayOfOursFreesNothing() {
    CuArray<Integer> array = scope.keep(gpu0.full(DType.INT32, 5, SIZE));
    gpu0.wrap(DType.INT32, array.pointer(), SIZE).close();
    assertThat(array.toArray(DType.INT32)).containsOnly(5);
  }

  @Test
  void aWrappedArrayOfOursThatIsRetainedKeepsTheBytes() {
    CuArray<Integer> array = gpu0.full(DType.INT32, 5, SIZE);
    CuArray<Integer> wrapped = gpu0.wrap(DType.INT32, array.pointer(), SIZE);
    CuArray<Integer> retained = scope.keep(wrapped.retain());
    wrapped.close();
    array.close();
    assertThat(retained.toArray(DType.INT32)).containsOnly(5);
  }

  @Test
  void memoryOfAnotherRuntimeIsWrappedLikeOurs() {
    CuRuntime other = CuRuntime.open(recording.driver());
    CuArray<Integer> array = other.device(0).full(DType.INT32, 5, SIZE);
    CuArray<Integer> wrapped = scope.keep(gpu0.wrap(DType.INT32, array.pointer(), SIZE));
    assertThat(wrapped.toArray(DType.INT32)).containsOnly(5);
    other.close();
    assertThat(wrapped.isClosed()).isTrue();
  }

  @Test
  void twoArraysOverOneForeignAllocationAreOrderedWithEachOther() {
    long pointer = application.classic(0, BYTES);
    CuArray<Integer> one = scope.keep(gpu0.wrap(DType.INT32, pointer, SIZE));
    CuArray<Integer> other = scope.keep(gpu0.wrap(DType.INT32, pointer, SIZE));
    CuArray<Integer> there = scope.keep(gpu1.zeros(DType.INT32, SIZE));
    one.copyTo(there);
    cuda.synchronize();
    one.fill((Integer) 7);
    recording.clear();
    other.copyTo(there);
    List<Call> waits = recording.calls("cuStreamWaitEvent");
    assertThat(waits).isNotEmpty();
    assertThat(there.toArray(DType.INT32)).containsOnly(7);
    ok(recording.driver().ctxSetCurrent(0));
  }

  @Test
  void closingUnderItsOwnLeaseThrowsNothingAndReleasesAfterIt() throws InterruptedException {
    long pointer = application.classic(0, BYTES);
    Release release = new Release();
    CuArray<Integer> array = gpu0.wrap(DType.INT32, pointer, release, SIZE);
    try (CuStream stream = gpu0.stream()) {
      try (CuLease lease = stream.lease(Access.write(array))) {
        assertThat(lease.pointer(array)).isEqualTo(pointer);
        array.close();
        assertThat(release.runs).hasValue(0);
      }
      release.await();
    }
  }

  @Test
  void aReleaseThatThrowsAnErrorDoesNotStopTheNext() throws InterruptedException {
    Runnable failing =
        () -> {
          throw new AssertionError("thrown on purpose");
        };
    gpu0.wrap(DType.INT32, application.classic(0, BYTES), failing, SIZE).close();
    Release release = new Release();
    gpu0.wrap(DType.INT32, application.classic(0, BYTES), release, SIZE).close();
    release.await();
  }

  @Test
  void aReleaseMayCloseItsRuntime() throws InterruptedException {
    CuRuntime other = CuRuntime.open(recording.driver());
    long pointer = application.classic(0, BYTES);
    CountDownLatch closed = new CountDownLatch(1);
    Runnable closing =
        () -> {
          other.close();
          closed.countDown();
        };
    other.device(0).wrap(DType.INT32, pointer, closing, SIZE).close();
    assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
    other.close();
  }

  /** The runtime is closed while the wrap waits for the context of the memory. */
  @Test
  void aWrapThatIsRefusedByTheRuntimesCloseDoesNotRelease() {
    AtomicReference<CuRuntime> toClose = new AtomicReference<>();
    CudaDriver closing =
        InterceptedDriver.around(
            recording.driver(),
            (call, arguments, proceed) -> {
              CuRuntime open = call.equals("cuCtxSynchronize") ? toClose.getAndSet(null) : null;
              if (open != null) {
                open.close();
              }
              return proceed.call();
            });
    CuRuntime other = CuRuntime.open(closing);
    long pointer = application.classic(0, BYTES);
    Release release = new Release();
    toClose.set(other);
    assertThatExceptionOfType(CuClosedException.class)
        .isThrownBy(() -> other.device(0).wrap(DType.INT32, pointer, release, SIZE));
    other.close();
    assertThat(release.runs).hasValue(0);
  }

  @Test
  void retainingBesideClosingReleasesOnceAndWithTheLastOwner() {
    long pointer = application.classic(0, BYTES);
    for (int round = 0; round < 3000; round++) {
      AtomicInteger releases = new AtomicInteger();
      CuArray<Integer> array = gpu0.wrap(DType.INT32, pointer, releases::incrementAndGet, SIZE);
      AtomicReference<CuArray<Integer>> retained = new AtomicReference<>();
      Runnable retaining =
          () -> {
            try {
              retained.set(array.retain());
            } catch (CuClosedException e) {
              assertThat(e).message().containsAnyOf("freed", "closed");
            }
          };
      Threads.runTogether(List.of(retaining, array::close));
      CuArray<Integer> other = retained.get();
      if (other != null) {
        assertThat(releases).hasValue(0);
        other.close();
      }
      while (releases.get() == 0) {
        Thread.onSpinWait();
      }
      assertThat(releases).hasValue(1);
    }
  }

  @Test
  void anEmptyTensorMayHaveAnyAddressAndIsReleased() throws InterruptedException {
    for (long pointer : new long[] {0, 8, application.classic(1, BYTES)}) {
      Release release = new Release();
      try (CuArray<Integer> empty = gpu1.wrap(DType.INT32, pointer, release, 0, 5);
          CuArray<Integer> other = gpu0.zeros(DType.INT32, 0, 5)) {
        empty.copyTo(other);
        assertThat(empty.toArray(DType.INT32)).isEmpty();
        assertThat(empty.device()).isEqualTo(gpu1);
      }
      release.await();
    }
  }

  @Test
  void memoryThatManyOthersHaveFollowedIsForgotten() {
    long first = application.classic(0, BYTES);
    gpu0.wrap(DType.INT32, first, SIZE).close();
    PointerTable table = PointerTable.of(recording.driver());
    assertThat(table.find(first)).isNotNull();
    for (int i = 0; i < 1100; i++) {
      gpu0.wrap(DType.INT32, application.classic(0, BYTES), SIZE).close();
    }
    assertThat(table.find(first)).isNull();
    gpu0.wrap(DType.INT32, first, SIZE).close();
  }

  /** The copy runs on the source's device, of whose context the wrapped memory knows nothing. */
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void memoryThatIsWrappedAgainComesAfterTheUsesOfItsFirstArray(long seed) {
    SimulatedDriver late =
        SimulatedDriver.builder().preset(Preset.NVLINK).devices(2).seed(seed).build();
    try (DriverRig producer = new DriverRig(late);
        CuRuntime scheduled = CuRuntime.open(late);
        CuArray<Integer> source = scheduled.device(0).full(DType.INT32, 7, SIZE)) {
      long pointer = producer.classic(1, BYTES);
      try (CuArray<Integer> first = scheduled.device(1).wrap(DType.INT32, pointer, SIZE)) {
        source.copyTo(first);
      }
      try (CuArray<Integer> again = scheduled.device(1).wrap(DType.INT32, pointer, SIZE)) {
        assertThat(again.toArray(DType.INT32)).containsOnly(7);
      }
    }
    assertThat(late.findings()).isEmpty();
  }
}
