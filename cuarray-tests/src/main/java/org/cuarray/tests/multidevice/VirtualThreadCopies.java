package org.cuarray.tests.multidevice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.tests.conformance.DriverRig.ok;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.cuarray.CuArray;
import org.cuarray.DType;
import org.cuarray.HostArray;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Many more virtual threads than carriers on the same arrays; skipped by a Java that has none. The
 * timeout is for hangs, not for speed.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
abstract class VirtualThreadCopies extends MultiDeviceTests {
  private static final int THREADS = 64;
  private static final int SIZE = 2048;
  private static final int OPERATIONS = 20;

  @BeforeAll
  static void requireVirtualThreads() {
    VirtualThreads.require();
  }

  static LongStream seeds() {
    return Seeds.all();
  }

  /** A current context is the carrier's: one left behind would be met by the next thread on it. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void virtualThreadsOnSharedArraysSeeNoneHalfWrittenAndLeaveNoContextBehind(long seed) {
    List<CuArray<Integer>> arrays = ConcurrentCopies.uniformArrays(rig.devices(), scope, SIZE);
    List<Runnable> threads = new ArrayList<>();
    SplittableRandom seeds = new SplittableRandom(seed);
    for (int i = 0; i < THREADS; i++) {
      SplittableRandom random = seeds.split();
      HostArray<Integer> pinned =
          scope.keep(rig.devices().get(i % rig.devices().size()).hostArray(DType.INT32, SIZE));
      threads.add(
          () -> {
            for (int k = 0; k < OPERATIONS; k++) {
              ConcurrentCopies.operate(arrays, pinned, random);
              assertNoContextIsCurrent();
            }
          });
    }
    Threads.runTogetherOnVirtualThreads(threads);
    arrays.forEach(array -> ConcurrentCopies.assertUniform(array.toArray(DType.INT32)));
  }

  private void assertNoContextIsCurrent() {
    long[] context = new long[1];
    ok(rig.recording().driver().ctxGetCurrent(context));
    assertThat(context[0]).isZero();
  }
}
