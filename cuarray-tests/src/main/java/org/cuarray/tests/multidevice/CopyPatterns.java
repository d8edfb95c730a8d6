package org.cuarray.tests.multidevice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.tests.conformance.DriverRig.ok;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.cuarray.AllocatorKind;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.DType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many copies at once, in the patterns that multi-GPU programs are made of; nobody waits. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
abstract class CopyPatterns extends MultiDeviceTests {
  private static final int ROUNDS = 3;

  private final SplittableRandom random = new SplittableRandom(20261130);

  @ParameterizedTest(name = "{0} elements")
  @ValueSource(ints = {1, 4099, (9 << 18) + 5})
  void aRingBringsEveryArrayBackToItsDevice(int size) {
    List<int[]> contents = randomPerDevice(size);
    List<CuArray<Integer>> now = onEveryDevice(contents);
    List<CuArray<Integer>> next = emptyOnEveryDevice(size);
    int devices = rig.devices().size();
    for (int round = 0; round < ROUNDS * devices + 1; round++) {
      for (int i = 0; i < devices; i++) {
        now.get(i).copyTo(next.get((i + 1) % devices));
      }
      List<CuArray<Integer>> swapped = now;
      now = next;
      next = swapped;
    }
    for (int i = 0; i < devices; i++) {
      assertThat(now.get((i + 1) % devices).toArray(DType.INT32)).isEqualTo(contents.get(i));
    }
  }

  @Test
  void aRingOfThreadsBringsEveryArrayBackToItsDevice() {
    int size = 5003;
    List<int[]> contents = randomPerDevice(size);
    List<List<CuArray<Integer>>> buffers =
        List.of(onEveryDevice(contents), emptyOnEveryDevice(size));
    int devices = rig.devices().size();
    CyclicBarrier round = new CyclicBarrier(devices);
    List<Runnable> members = new ArrayList<>();
    for (int i = 0; i < devices; i++) {
      int member = i;
      members.add(
          () -> {
            for (int r = 0; r < 2 * ROUNDS * devices; r++) {
              buffers
                  .get(r % 2)
                  .get(member)
                  .copyTo(buffers.get((r + 1) % 2).get((member + 1) % devices));
              await(round);
            }
          });
    }
    Threads.runTogether(members);
    for (int i = 0; i < devices; i++) {
      assertThat(buffers.get(0).get(i).toArray(DType.INT32)).isEqualTo(contents.get(i));
    }
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException("another thread of the ring failed", e);
    }
  }

  @Test
  void whateverContextIsCurrentCopiesAreRightAndItStaysCurrent() {
    for (CuDevice current : rig.firstTwo()) {
      long context = cuda.registry().contextOf(current);
      for (DevicePair pair : DevicePair.all(rig.firstTwo())) {
        for (AllocatorKind from : MultiDeviceRig.kinds(pair.from())) {
          for (AllocatorKind to : MultiDeviceRig.kinds(pair.to())) {
            int value = pair.hashCode() ^ from.name().hashCode() ^ to.name().hashCode();
            int[] arrived = current.callInContext(() -> copied(pair, from, to, value, context));
            assertThat(arrived).as("%s, %s → %s", pair, from, to).containsOnly(value);
          }
        }
      }
    }
  }

  private int[] copied(
      DevicePair pair, AllocatorKind from, AllocatorKind to, int value, long expected) {
    try (CuArray<Integer> source =
            pair.from().using(from).full(DType.INT32, (Integer) value, 4099);
        CuArray<Integer> destination = pair.to().using(to).zeros(DType.INT32, 4099)) {
      source.copyTo(destination);
      long[] current = new long[1];
      ok(rig.machine().driver().ctxGetCurrent(current));
      assertThat(current[0]).isEqualTo(expected);
      return destination.toArray(DType.INT32);
    }
  }

  @ParameterizedTest(name = "{0} elements")
  @ValueSource(ints = {1, 4099, (9 << 18) + 5})
  void allDevicesSendToOneThatHasARowForEach(int size) {
    List<int[]> contents = randomPerDevice(size);
    List<CuArray<Integer>> sources = onEveryDevice(contents);
    for (CuDevice target : rig.firstTwo()) {
      CuArray<Integer> rows = scope.keep(target.empty(DType.INT32, sources.size(), size));
      for (int i = 0; i < sources.size(); i++) {
        sources.get(i).copyTo(rows.slice(i, i + 1).reshape(size));
      }
      assertThat(rows.toArray(DType.INT32))
          .isEqualTo(contents.stream().flatMapToInt(Arrays::stream).toArray());
    }
  }

  @ParameterizedTest(name = "{0} elements")
  @ValueSource(ints = {1, 4099, (9 << 18) + 5})
  void oneDeviceSendsToAll(int size) {
    List<int[]> contents = randomPerDevice(size);
    List<CuArray<Integer>> sources = onEveryDevice(contents);
    List<CuArray<Integer>> destinations = emptyOnEveryDevice(size);
    for (int i = 0; i < sources.size(); i++) {
      for (CuArray<Integer> destination : destinations) {
        sources.get(i).copyTo(destination);
      }
      for (CuArray<Integer> destination : destinations) {
        assertThat(destination.toArray(DType.INT32)).isEqualTo(contents.get(i));
      }
    }
  }

  @ParameterizedTest(name = "{0} elements")
  @ValueSource(ints = {1, 4099, (1 << 18) + 5})
  void everyOrderedPairCopiesAtOnceFromOneThread(int size) {
    List<PairCopy> copies = pairCopies(size);
    copies.forEach(PairCopy::run);
    copies.forEach(PairCopy::verify);
  }

  @ParameterizedTest(name = "{0} elements")
  @ValueSource(ints = {1, 4099, (1 << 18) + 5})
  void everyOrderedPairCopiesAtOnceFromAThreadEach(int size) {
    List<PairCopy> copies = pairCopies(size);
    Threads.runTogether(copies);
    copies.forEach(PairCopy::verify);
  }

  /** A copy there, once more there, and what arrived. */
  private static final class PairCopy implements Runnable {
    private final CuArray<Integer> source;
    private final CuArray<Integer> destination;
    private final int[] contents;

    PairCopy(CuArray<Integer> source, CuArray<Integer> destination, int[] contents) {
      this.source = source;
      this.destination = destination;
      this.contents = contents;
    }

    @Override
    public void run() {
      for (int i = 0; i < ROUNDS; i++) {
        source.copyTo(destination);
      }
    }

    void verify() {
      assertThat(destination.toArray(DType.INT32)).isEqualTo(contents);
    }
  }

  private List<PairCopy> pairCopies(int size) {
    List<int[]> contents = randomPerDevice(size);
    List<CuArray<Integer>> sources = onEveryDevice(contents);
    List<PairCopy> copies = new ArrayList<>();
    for (DevicePair pair : DevicePair.all(rig.devices())) {
      int from = rig.devices().indexOf(pair.from());
      copies.add(
          new PairCopy(
              sources.get(from),
              scope.keep(pair.to().zeros(DType.INT32, size)),
              contents.get(from)));
    }
    return copies;
  }

  @Test
  void aBallPlayedBetweenSlicesOfTwoArraysReachesTheLastOne() {
    int slices = 60;
    int size = 257;
    for (DevicePair pair : DevicePair.farthest(rig.firstTwo())) {
      for (AllocatorKind kind : MultiDeviceRig.kinds(pair.to())) {
        int[] ball = random(size);
        CuArray<Integer> here = scope.keep(pair.from().zeros(DType.INT32, slices, size));
        CuArray<Integer> there = scope.keep(pair.to().using(kind).zeros(DType.INT32, slices, size));
        here.slice(0, 1).reshape(size).copyFrom(DType.INT32, ball);
        for (int i = 0; i < slices - 1; i++) {
          here.slice(i, i + 1).copyTo(there.slice(i, i + 1));
          there.slice(i, i + 1).copyTo(here.slice(i + 1, i + 2));
        }
        int[] expected = new int[slices * size];
        for (int i = 0; i < slices; i++) {
          System.arraycopy(ball, 0, expected, i * size, size);
        }
        assertThat(here.toArray(DType.INT32)).isEqualTo(expected);
      }
    }
  }

  @Test
  void anArrayGoesRoundAllDevicesAndGrowsAtEach() {
    int size = 3001;
    int[] expected = random(size);
    CuArray<Integer> first = scope.keep(rig.devices().get(0).array(DType.INT32, expected));
    CuArray<Integer> at = first;
    for (int i = 1; i <= 3 * rig.devices().size(); i++) {
      CuArray<Integer> next = at.to(rig.devices().get(i % rig.devices().size()));
      next.set(i, i);
      expected[i] = i;
      if (at != first) {
        at.close();
      }
      at = next;
    }
    assertThat(at.toArray(DType.INT32)).isEqualTo(expected);
    at.close();
  }

  @Test
  void slicesAreScatteredToAllDevicesAndGatheredInReverse() {
    int pieces = 4 * rig.devices().size();
    int size = 1009;
    int[] contents = random(pieces * size);
    CuDevice home = rig.devices().get(rig.devices().size() - 1);
    CuArray<Integer> all = scope.keep(home.array(DType.INT32, contents, pieces, size));
    CuArray<Integer> back = scope.keep(home.zeros(DType.INT32, pieces, size));
    for (int i = 0; i < pieces; i++) {
      CuDevice device = rig.devices().get(i % rig.devices().size());
      try (CuArray<Integer> piece = device.empty(DType.INT32, 1, size)) {
        all.slice(i, i + 1).copyTo(piece);
        piece.copyTo(back.slice(pieces - 1 - i, pieces - i));
      }
    }
    int[] expected = new int[contents.length];
    for (int i = 0; i < pieces; i++) {
      System.arraycopy(contents, i * size, expected, (pieces - 1 - i) * size, size);
    }
    assertThat(back.toArray(DType.INT32)).isEqualTo(expected);
  }

  private List<int[]> randomPerDevice(int size) {
    return rig.devices().stream().map(device -> random(size)).toList();
  }

  private int[] random(int size) {
    return random.ints(size).toArray();
  }

  private List<CuArray<Integer>> onEveryDevice(List<int[]> contents) {
    List<CuArray<Integer>> arrays = new ArrayList<>();
    for (int i = 0; i < contents.size(); i++) {
      arrays.add(scope.keep(rig.devices().get(i).array(DType.INT32, contents.get(i))));
    }
    return arrays;
  }

  private List<CuArray<Integer>> emptyOnEveryDevice(int size) {
    return rig.devices().stream()
        .map(device -> scope.keep(device.<Integer>empty(DType.INT32, size)))
        .toList();
  }
}
