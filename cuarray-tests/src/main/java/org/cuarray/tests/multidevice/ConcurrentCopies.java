package org.cuarray.tests.multidevice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.cuarray.AllocatorKind;
import org.cuarray.CuArray;
import org.cuarray.CuClosedException;
import org.cuarray.CuDevice;
import org.cuarray.CuScope;
import org.cuarray.DType;
import org.cuarray.HostArray;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many threads on the same arrays. The timeout is for hangs, not for speed. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
abstract class ConcurrentCopies extends MultiDeviceTests {
  private static final int THREADS = 6;

  /** Seeds for small arrays, and one for arrays that pass through several staging slots. */
  static LongStream seeds() {
    return Seeds.all();
  }

  /**
   * Every array holds one value at all times, as far as the order of operations goes: a copy, fill
   * or read that is seen half done shows as two.
   */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void threadsOnSharedArraysNeverSeeOneHalfWritten(long seed) {
    hammer(seed, 2048, 150);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void threadsOnLargeSharedArraysNeverSeeOneHalfWritten(long seed) {
    hammer(seed, (9 << 18) + 3, 5);
  }

  private void hammer(long seed, int size, int operations) {
    List<CuArray<Integer>> arrays = uniformArrays(size);
    List<Runnable> threads = new ArrayList<>();
    SplittableRandom seeds = new SplittableRandom(seed);
    for (int i = 0; i < THREADS; i++) {
      SplittableRandom random = seeds.split();
      HostArray<Integer> pinned =
          scope.keep(rig.devices().get(i % rig.devices().size()).hostArray(DType.INT32, size));
      threads.add(
          () -> {
            for (int k = 0; k < operations; k++) {
              operate(arrays, pinned, random);
            }
          });
    }
    Threads.runTogether(threads);
    arrays.forEach(array -> assertUniform(array.toArray(DType.INT32)));
  }

  private List<CuArray<Integer>> uniformArrays(int size) {
    return uniformArrays(rig.devices(), scope, size);
  }

  /** One of each kind on each device, each of one value. */
  static List<CuArray<Integer>> uniformArrays(List<CuDevice> devices, CuScope scope, int size) {
    List<CuArray<Integer>> arrays = new ArrayList<>();
    for (CuDevice device : devices) {
      for (AllocatorKind kind : MultiDeviceRig.kinds(device)) {
        arrays.add(scope.keep(device.using(kind).full(DType.INT32, arrays.size(), size)));
      }
    }
    return arrays;
  }

  static void operate(
      List<CuArray<Integer>> arrays, HostArray<Integer> pinned, SplittableRandom random) {
    CuArray<Integer> one = arrays.get(random.nextInt(arrays.size()));
    CuArray<Integer> other = arrays.get(random.nextInt(arrays.size()));
    switch (random.nextInt(8)) {
      case 0 -> one.fill((Integer) random.nextInt());
      case 1 -> assertUniform(one.toArray(DType.INT32));
      case 2 -> {
        one.copyTo(pinned);
        assertUniform(pinned.toArray(DType.INT32));
        pinned.set(pinned.get(0), 0);
        other.copyFrom(pinned);
      }
      case 3 -> {
        int[] uniform = new int[(int) one.size()];
        Arrays.fill(uniform, random.nextInt());
        one.copyFrom(DType.INT32, uniform);
        // What the caller does with its own array afterwards is nobody's business.
        uniform[uniform.length / 2]++;
      }
      default -> one.copyTo(other);
    }
  }

  static void assertUniform(int[] elements) {
    int first = elements[0];
    int differs =
        IntStream.range(0, elements.length)
            .filter(i -> elements[i] != first)
            .findFirst()
            .orElse(-1);
    if (differs >= 0) {
      assertThat(elements[differs]).as("element %d of a uniform array", differs).isEqualTo(first);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void threadsOnDisjointSlicesDoNotDisturbEachOther(long seed) {
    int rows = 4 * THREADS;
    int size = 501;
    SplittableRandom random = new SplittableRandom(seed);
    CuDevice from = rig.devices().get(random.nextInt(rig.devices().size()));
    CuDevice to = rig.devices().get(random.nextInt(rig.devices().size()));
    int[] contents = random.ints((long) rows * size).toArray();
    CuArray<Integer> source = scope.keep(from.array(DType.INT32, contents, rows, size));
    CuArray<Integer> destination = scope.keep(to.zeros(DType.INT32, rows, size));
    List<Runnable> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int first = i;
      threads.add(
          () -> {
            for (int round = 0; round < 10; round++) {
              for (int row = first; row < rows; row += THREADS) {
                source.slice(row, row + 1).copyTo(destination.slice(row, row + 1));
              }
            }
          });
    }
    Threads.runTogether(threads);
    assertThat(destination.toArray(DType.INT32)).isEqualTo(contents);
  }

  /** A copy either takes place before the closing or is told of it; it never meets freed memory. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void anArrayClosedUnderCopiesIsEitherCopiedOrSaidToBeClosed(long seed) {
    int size = 4096;
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 30; round++) {
      DevicePair pair = pairFrom(random);
      CuArray<Integer> source = anyKind(pair.from(), random).full(DType.INT32, 1, size);
      CuArray<Integer> destination = anyKind(pair.to(), random).full(DType.INT32, 2, size);
      boolean closesSource = random.nextBoolean();
      AtomicInteger copied = new AtomicInteger();
      List<Runnable> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        threads.add(() -> copyUntilClosed(source, destination, copied));
      }
      threads.add(
          () -> {
            while (copied.get() < THREADS) {
              Thread.onSpinWait();
            }
            (closesSource ? source : destination).close();
          });
      Threads.runTogether(threads);
      if (closesSource) {
        assertThat(destination.toArray(DType.INT32)).containsOnly(1);
      } else {
        assertThat(source.toArray(DType.INT32)).containsOnly(1);
      }
      source.close();
      destination.close();
    }
  }

  private static void copyUntilClosed(
      CuArray<Integer> source, CuArray<Integer> destination, AtomicInteger copied) {
    try {
      while (true) {
        source.copyTo(destination);
        copied.incrementAndGet();
      }
    } catch (CuClosedException e) {
      assertThat(e).hasMessageContaining("int32 [4096]");
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void bytesLiveUntilTheLastOfManyOwnersIsClosed(long seed) {
    int size = 777;
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 20; round++) {
      int value = random.nextInt();
      CuArray<Integer> first =
          anyKind(anyDevice(random), random).full(DType.INT32, (Integer) value, size);
      List<Runnable> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        CuArray<Integer> owner = first.retain();
        CuDevice device = anyDevice(random);
        threads.add(
            () -> {
              try (owner;
                  CuArray<Integer> again = owner.retain();
                  CuArray<Integer> copy = again.to(device)) {
                owner.close();
                assertThat(again.toArray(DType.INT32)).containsOnly(value);
                assertThat(copy.toArray(DType.INT32)).containsOnly(value);
              }
            });
      }
      threads.add(first::close);
      Threads.runTogether(threads);
      assertThat(first.isClosed()).isTrue();
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void arraysAreBornCopiedAndClosedOnManyThreads(long seed) {
    SplittableRandom seeds = new SplittableRandom(seed);
    List<Runnable> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      SplittableRandom random = seeds.split();
      threads.add(
          () -> {
            for (int k = 0; k < 25; k++) {
              passRound(random);
            }
          });
    }
    Threads.runTogether(threads);
  }

  private void passRound(SplittableRandom random) {
    int[] contents = random.ints(random.nextInt(1, 50_000)).toArray();
    CuArray<Integer> at = anyKind(anyDevice(random), random).array(DType.INT32, contents);
    for (int hop = 0; hop < 4; hop++) {
      CuArray<Integer> next = at.to(anyKind(anyDevice(random), random));
      // Closed while the copy out of it may still be on its way.
      at.close();
      at = next;
    }
    assertThat(at.toArray(DType.INT32)).isEqualTo(contents);
    at.close();
  }

  private CuDevice anyDevice(SplittableRandom random) {
    return rig.devices().get(random.nextInt(rig.devices().size()));
  }

  private DevicePair pairFrom(SplittableRandom random) {
    List<DevicePair> pairs = DevicePair.farthest(rig.devices());
    return pairs.get(random.nextInt(pairs.size()));
  }

  private static CuDevice anyKind(CuDevice device, SplittableRandom random) {
    List<AllocatorKind> kinds = MultiDeviceRig.kinds(device);
    return device.using(kinds.get(random.nextInt(kinds.size())));
  }
}
