package org.cuarray.tests.multidevice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.cuarray.AllocatorKind;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.DType;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Memory that goes from array to array while copies of the one before are still on their way. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
abstract class RecycledMemory extends MultiDeviceTests {
  private static final int ROUNDS = 100_000;
  private static final int ROUNDS_OF_LARGE_COPIES = 500;

  /** One in so many arrays is left to the cleaner. */
  private static final int ABANDONED = 100;

  private static final int LARGE = 4 << 20;

  private List<DevicePair> pairs() {
    return DevicePair.farthest(rig.devices());
  }

  static Stream<Arguments> kinds() {
    return Stream.of(AllocatorKind.values())
        .flatMap(
            source -> Stream.of(AllocatorKind.values()).map(other -> Arguments.of(source, other)));
  }

  private void assumeKinds(AllocatorKind... kinds) {
    assumeTrue(
        MultiDeviceRig.kinds(cuda.device(0)).containsAll(List.of(kinds)),
        "the machine has no memory pools");
  }

  @ParameterizedTest(name = "{0} → {1}")
  @MethodSource("kinds")
  void allocatedCopiedClosedAndAbandonedMemoryComesBack(
      AllocatorKind sourceKind, AllocatorKind destinationKind) {
    assumeKinds(sourceKind, destinationKind);
    rig.quiesce();
    List<Long> before = used();
    int rounds = rig.machine().rounds(ROUNDS / kinds().toList().size());
    for (int round = 0; round < rounds; round++) {
      DevicePair pair = pairs().get(round % pairs().size());
      passOn(
          pair.from().using(sourceKind),
          pair.to().using(destinationKind),
          round,
          round % ABANDONED == ABANDONED - 1);
      if (round % 1000 == 0) {
        rig.recording().clear();
      }
    }
    while (!used().equals(before)) {
      // What was abandoned is found by a collection, and freed by the cleaner's thread.
      System.gc();
      Thread.onSpinWait();
    }
    assertThat(used()).isEqualTo(before);
  }

  private List<Long> used() {
    List<Long> all = new ArrayList<>();
    for (CuDevice device : cuda.devices()) {
      all.add(device.memoryUsage().used());
    }
    return all;
  }

  private static void passOn(CuDevice from, CuDevice to, int round, boolean abandon) {
    CuArray<Integer> source = from.full(DType.INT32, (Integer) round, 1 + round % 3000);
    CuArray<Integer> destination = to.empty(DType.INT32, source.size());
    source.copyTo(destination);
    if (round % 97 == 0) {
      assertThat(destination.toArray(DType.INT32)).containsOnly(round);
    }
    if (!abandon) {
      source.close();
      destination.close();
    }
  }

  /** The copy into the closed array may still be under way when its memory is given out again. */
  @ParameterizedTest(name = "{0} → {1}")
  @MethodSource("kinds")
  void aLateWriterNeverReachesTheArrayThatHasTheMemoryNext(
      AllocatorKind sourceKind, AllocatorKind destinationKind) {
    assumeKinds(sourceKind, destinationKind);
    int rounds = rig.machine().rounds(ROUNDS_OF_LARGE_COPIES);
    for (int round = 0; round < rounds; round++) {
      DevicePair pair = pairs().get(round % pairs().size());
      CuDevice to = pair.to().using(destinationKind);
      try (CuArray<Integer> source =
          pair.from().using(sourceKind).full(DType.INT32, (Integer) round, LARGE)) {
        CuArray<Integer> closed = to.empty(DType.INT32, LARGE);
        source.copyTo(closed);
        closed.close();
        try (CuArray<Integer> next = to.full(DType.INT32, (Integer) ~round, LARGE)) {
          assertThat(next.get(0)).isEqualTo(~round);
          assertUniform(next, ~round);
        }
      }
      rig.recording().clear();
    }
  }

  /** The copy out of the closed array may still be under way when its memory is written again. */
  @ParameterizedTest(name = "{0} → {1}")
  @MethodSource("kinds")
  void aCopyInFlightNeverReadsTheArrayThatHasTheMemoryNext(
      AllocatorKind sourceKind, AllocatorKind destinationKind) {
    assumeKinds(sourceKind, destinationKind);
    int rounds = rig.machine().rounds(ROUNDS_OF_LARGE_COPIES);
    for (int round = 0; round < rounds; round++) {
      DevicePair pair = pairs().get(round % pairs().size());
      CuDevice from = pair.from().using(sourceKind);
      try (CuArray<Integer> destination =
          pair.to().using(destinationKind).empty(DType.INT32, LARGE)) {
        CuArray<Integer> closed = from.full(DType.INT32, (Integer) round, LARGE);
        closed.copyTo(destination);
        closed.close();
        try (CuArray<Integer> next = from.full(DType.INT32, (Integer) ~round, LARGE)) {
          assertUniform(destination, round);
          assertThat(next.get(LARGE - 1)).isEqualTo(~round);
        }
      }
      rig.recording().clear();
    }
  }

  private static void assertUniform(CuArray<Integer> array, int value) {
    int[] seen = array.toArray(DType.INT32);
    int wrong = 0;
    for (int element : seen) {
      wrong += element == value ? 0 : 1;
    }
    assertThat(wrong).as("elements other than " + value).isZero();
  }
}
