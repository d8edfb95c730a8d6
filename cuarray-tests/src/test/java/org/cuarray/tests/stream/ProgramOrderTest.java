package org.cuarray.tests.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.cuarray.AllocatorKind;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.CuScope;
import org.cuarray.DType;
import org.cuarray.HostArray;
import org.cuarray.driver.RecordingDriver;
import org.cuarray.driver.RecordingDriver.Call;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.multidevice.StreamWaits;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is made to wait for what, by the driver calls, in programs of one thread. */
@TestInstance(Lifecycle.PER_CLASS) // Proving the links takes a second.
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
class ProgramOrderTest {
  private static final long SIZE = 1000;

  private final RecordingDriver recording = new RecordingDriver(SimulatedDriver.of(Preset.NVLINK));
  private final CuRuntime cuda = CuRuntime.open(recording.driver());
  private CuScope scope = cuda.scope();
  private final CuDevice gpu0 = cuda.device(0);
  private final CuDevice gpu1 = cuda.device(1);
  private final CuDevice gpu2 = cuda.device(2);

  @BeforeEach
  void open() {
    scope = cuda.scope();
  }

  @AfterEach
  void giveBack() {
    scope.close();
    cuda.synchronize();
    recording.clear();
  }

  @AfterAll
  void close() {
    cuda.close();
  }

  /** What one operation did. */
  private StreamWaits during(Runnable operation) {
    List<Call> earlier = recording.calls();
    operation.run();
    List<Call> all = recording.calls();
    return new StreamWaits(earlier, all.subList(earlier.size(), all.size()));
  }

  private CuArray<Integer> ready(CuDevice device) {
    CuArray<Integer> array = scope.keep(device.full(DType.INT32, 1, SIZE));
    array.synchronize();
    return array;
  }

  private void proveLinks() {
    for (CuDevice from : List.of(gpu0, gpu1, gpu2)) {
      for (CuDevice to : List.of(gpu0, gpu1, gpu2)) {
        ready(from).copyTo(ready(to));
      }
    }
    cuda.synchronize();
  }

  @Test
  void aWriteWaitsForEveryReaderOnEveryStream() {
    proveLinks();
    CuArray<Integer> a = ready(gpu0);
    Set<Long> readers = new HashSet<>();
    readers.addAll(during(() -> a.copyTo(ready(gpu1))).transferring());
    readers.addAll(during(() -> a.copyTo(ready(gpu2))).transferring());
    StreamWaits write = during(() -> a.fill((Integer) 2));
    List<Long> waitedFor = write.all().stream().map(StreamWaits.Wait::waitedFor).toList();
    assertThat(readers.size()).isGreaterThanOrEqualTo(2);
    assertThat(waitedFor).contains(copyStream(gpu0, gpu1), copyStream(gpu0, gpu2));
  }

  /** The stream of copies between two devices. */
  private long copyStream(CuDevice from, CuDevice to) {
    CuArray<Integer> source = ready(from);
    CuArray<Integer> destination = ready(to);
    return during(() -> source.copyTo(destination)).transferring().iterator().next();
  }

  /** Its source has elements that its destination has not. */
  @Test
  void anOverlappingCopyWaitsForTheWriterOfItsSource() {
    proveLinks();
    CuArray<Integer> a = ready(gpu0);
    CuArray<Integer> b = ready(gpu1);
    Set<Long> writers = during(() -> b.slice(0, 1).copyTo(a.slice(0, 1))).transferring();
    StreamWaits copy = during(() -> a.slice(0, SIZE - 1).copyTo(a.slice(1, SIZE)));
    assertThat(writers).hasSize(1);
    assertThat(copy.all()).extracting(StreamWaits.Wait::waitedFor).containsAll(writers);
  }

  @Test
  void readersOfOneArrayDoNotWaitForEachOther() {
    proveLinks();
    CuArray<Integer> a = ready(gpu0);
    CuArray<Integer> b = ready(gpu1);
    CuArray<Integer> c = ready(gpu2);
    assertThat(during(() -> a.copyTo(b)).all()).isEmpty();
    assertThat(during(() -> a.copyTo(c)).all()).isEmpty();
    assertThat(during(() -> assertThat(a.get(0)).isEqualTo(1)).all()).isEmpty();
  }

  @Test
  void disjointSlicesOfOneArrayDoNotWaitForEachOther() {
    proveLinks();
    CuArray<Integer> a = ready(gpu0);
    CuArray<Integer> b = ready(gpu1);
    CuArray<Integer> c = ready(gpu2);
    during(() -> b.slice(0, 500).copyTo(a.slice(0, 500)));
    assertThat(during(() -> c.slice(0, 500).copyTo(a.slice(500, 1000))).all()).isEmpty();
    assertThat(during(() -> c.slice(0, 1).copyTo(a.slice(499, 500))).all()).isNotEmpty();
  }

  @Test
  void aStreamIsMadeToWaitForAnotherOnlyOnce() {
    proveLinks();
    CuArray<Integer> a = ready(gpu0);
    CuArray<Integer> b = ready(gpu1);
    CuArray<Integer> c = ready(gpu2);
    CuArray<Integer> d = ready(gpu2);
    a.copyTo(b);
    assertThat(during(() -> b.copyTo(c)).all()).hasSize(1);
    assertThat(during(() -> b.copyTo(d)).all()).isEmpty();
  }

  @Test
  void whatAStreamHasWaitedForItsWaitersNeedNotWaitForAgain() {
    proveLinks();
    CuArray<Integer> a = ready(gpu0);
    CuArray<Integer> b = ready(gpu1);
    CuArray<Integer> c = ready(gpu2);
    CuArray<Integer> d = ready(gpu1);
    a.copyTo(b);
    b.copyTo(c);
    assertThat(during(() -> c.copyTo(d)).all()).hasSize(1);
    // Comes after both: after the second by the wait above, and so after the first.
    assertThat(during(() -> c.copyTo(b)).all()).isEmpty();
  }

  @Test
  void theHostWaitsOnlyWhereItNeedsAValue() {
    proveLinks();
    CuArray<Integer> a = ready(gpu0);
    CuArray<Integer> b = ready(gpu1);
    HostArray<Integer> pinned = scope.keep(gpu0.hostArray(DType.INT32, SIZE));
    pinned.set(7, 0);
    recording.clear();
    a.fill((Integer) 5);
    a.copyTo(b);
    b.copyTo(pinned);
    a.copyFrom(pinned);
    a.set(4, 3);
    assertThat(hostWaits()).isEmpty();
    assertThat(pinned.get(0)).isEqualTo(5);
    assertThat(hostWaits()).isNotEmpty();
  }

  private List<Call> hostWaits() {
    return recording.calls("cuEventSynchronize", "cuStreamSynchronize", "cuCtxSynchronize");
  }

  @Test
  void aPinnedArrayIsWrittenByTheHostOnlyAfterTheCopiesThatReadIt() {
    CuArray<Integer> a = ready(gpu0);
    HostArray<Integer> pinned = scope.keep(gpu0.hostArray(DType.INT32, SIZE));
    pinned.copyFrom(DType.INT32, new int[(int) SIZE]);
    a.copyFrom(pinned);
    recording.clear();
    pinned.set(7, 0);
    assertThat(hostWaits()).isNotEmpty();
    recording.clear();
    pinned.set(8, 0);
    assertThat(hostWaits()).isEmpty();
    assertThat(a.get(0)).isZero();
  }

  @Test
  void theFirstUseOfPoolMemoryWaitsForItsAllocation() {
    CuArray<Integer> a = ready(gpu0);
    cuda.synchronize();
    StreamWaits first = during(() -> a.copyTo(scope.keep(gpu0.<Integer>empty(DType.INT32, SIZE))));
    List<Call> allocations = recording.calls("cuMemAllocFromPoolAsync");
    long allocating = allocations.get(allocations.size() - 1).argument(3);
    assertThat(first.all()).extracting(StreamWaits.Wait::waitedFor).contains(allocating);
  }

  @Test
  void classicMemoryIsReadyWhenItIsAllocated() {
    CuArray<Integer> a = ready(gpu0);
    cuda.synchronize();
    StreamWaits first =
        during(
            () ->
                a.copyTo(
                    scope.keep(
                        gpu0.using(AllocatorKind.CLASSIC).<Integer>empty(DType.INT32, SIZE))));
    assertThat(first.all()).isEmpty();
  }

  @Test
  void poolMemoryIsFreedOnItsDeviceAfterTheCopiesInFlight() {
    proveLinks();
    long copying = copyStream(gpu0, gpu1);
    CuArray<Integer> a = ready(gpu0);
    CuArray<Integer> b = ready(gpu1);
    a.copyTo(b);
    long freed = b.pointer();
    StreamWaits closing = during(b::close);
    Call free =
        recording.calls("cuMemFreeAsync").stream()
            .filter(call -> call.argument(0) == freed)
            .findFirst()
            .orElseThrow();
    assertThat(closing.all()).contains(new StreamWaits.Wait(free.argument(1), copying));
    assertThat(contextOf(free.argument(1))).isEqualTo(cuda.registry().contextOf(gpu1));
  }

  private long contextOf(long stream) {
    long[] context = new long[1];
    assertThat(recording.driver().streamGetCtx(stream, context)).isZero();
    return context[0];
  }

  @Test
  void classicMemoryIsFreedAfterTheHostHasWaitedForItsUses() {
    CuDevice classic = gpu0.using(AllocatorKind.CLASSIC);
    CuArray<Integer> a = classic.full(DType.INT32, 1, SIZE);
    a.copyTo(ready(gpu0));
    recording.clear();
    a.close();
    while (recording.calls("cuMemFree").isEmpty()) {
      Thread.onSpinWait();
    }
    List<String> names = new ArrayList<>();
    recording.calls().forEach(call -> names.add(call.name()));
    assertThat(names.indexOf("cuEventSynchronize")).isBetween(0, names.indexOf("cuMemFree"));
  }

  /** Ways to have two arrays over the same bytes. */
  enum Twin {
    VIEW {
      @Override
      CuArray<Integer> of(CuArray<Integer> array) {
        return array.view(DType.FLOAT32).view(DType.INT32);
      }
    },
    RETAINED {
      @Override
      CuArray<Integer> of(CuArray<Integer> array) {
        return array.retain();
      }
    },
    WRAPPED {
      @Override
      CuArray<Integer> of(CuArray<Integer> array) {
        return array.device().wrap(DType.INT32, array.pointer(), SIZE);
      }
    };

    abstract CuArray<Integer> of(CuArray<Integer> array);
  }

  @ParameterizedTest
  @EnumSource
  void arraysOverTheSameBytesShareOneOrder(Twin twin) {
    proveLinks();
    CuArray<Integer> a = ready(gpu0);
    CuArray<Integer> other = scope.keep(twin.of(a));
    long copying = copyStream(gpu1, gpu0);
    ready(gpu1).copyTo(a);
    StreamWaits read = during(() -> other.copyTo(ready(gpu2)));
    assertThat(read.all()).extracting(StreamWaits.Wait::waitedFor).contains(copying);
  }
}
