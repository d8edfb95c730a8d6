package org.cuarray.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which locks a step takes, in which order, and for how long. */
@Timeout(60)
class OperationTest {
  private static final int BYTES = 100;

  private final SimulatedDriver machine =
      SimulatedDriver.builder().preset(Preset.NVLINK).devices(2).seed(1).build();
  private final OrderedStream early = OrderedStream.create(machine, 0, 0);
  private final OrderedStream late = OrderedStream.create(machine, 1, 0);
  private final History first = new History(BYTES);
  private final History second = new History(BYTES);
  private final History third = new History(BYTES);

  @Test
  void aStepHoldsEveryHistoryToItsEndAndEveryStreamToItsSubmission() {
    submit(late, first);
    submit(early, second);
    Operation step = Operation.begin();
    try {
      int one = step.touches(first, 0, BYTES, AccessMode.WRITE);
      int other = step.touches(second, 0, BYTES, AccessMode.READ);
      step.lock();
      assertThat(locks(first.lock, second.lock)).isEqualTo(2);
      step.after(one);
      step.after(other);
      step.enter(early, 1, 2);
      assertThat(locks(early.lock, late.lock)).isEqualTo(2);
      step.leave();
      assertThat(locks(early.lock, late.lock)).isZero();
      assertThat(locks(first.lock, second.lock)).isEqualTo(2);
    } finally {
      step.end();
    }
    assertThat(locks(first.lock, second.lock)).isZero();
  }

  @Test
  void aLastSubmissionLeavesItsMarksAndKeepsNoLockButItsStreams() {
    submit(late, second);
    Operation step = Operation.begin();
    try {
      step.touches(first, 0, BYTES, AccessMode.WRITE);
      int other = step.touches(second, 0, BYTES, AccessMode.READ);
      step.lock();
      step.after(other);
      step.enterLast(early, 1, 2);
      assertThat(locks(first.lock, second.lock, late.lock)).isZero();
      assertThat(locks(early.lock)).isEqualTo(1);
      MarkSet written = new MarkSet();
      first.whenLocked(() -> first.collect(0, BYTES, AccessMode.READ, written));
      MarkSet touched = new MarkSet();
      second.whenLocked(() -> second.collect(0, BYTES, AccessMode.WRITE, touched));
      long ticket = step.leave();
      assertThat(locks(early.lock)).isZero();
      assertThat(written.hasSame(marks(early, ticket))).isTrue();
      MarkSet both = marks(early, ticket);
      both.add(late, 1);
      assertThat(touched.hasSame(both)).isTrue();
    } finally {
      step.end();
    }
  }

  private static MarkSet marks(OrderedStream stream, long ticket) {
    MarkSet marks = new MarkSet();
    marks.add(stream, ticket);
    return marks;
  }

  private static long locks(ReentrantLock... locks) {
    return List.of(locks).stream().filter(ReentrantLock::isHeldByCurrentThread).count();
  }

  private static void submit(OrderedStream stream, History history) {
    submit(stream, history, 3);
  }

  private static void submit(OrderedStream stream, History history, long subject) {
    Operation step = Operation.begin();
    try {
      int access = step.touches(history, 0, BYTES, AccessMode.WRITE);
      step.lock();
      step.enter(stream, subject, 4);
      step.mark(access, stream, step.leave());
    } finally {
      step.end();
    }
  }

  @Test
  void historiesAreLockedInOneOrderWhateverTheOrderOfAsking() throws Exception {
    whileLocked(
        first.lock,
        () -> {
          Operation step = Operation.begin();
          try {
            step.touches(second, 0, BYTES, AccessMode.WRITE);
            step.touches(first, 0, BYTES, AccessMode.WRITE);
            step.lock();
          } finally {
            step.end();
          }
        },
        () -> assertThat(second.lock.isLocked()).as("locked before its turn").isFalse());
  }

  @Test
  void streamsAreLockedInOneOrderWhateverTheOrderOfWaiting() throws Exception {
    submit(late, first);
    submit(early, second);
    whileLocked(
        early.lock,
        () -> {
          Operation step = Operation.begin();
          try {
            int one = step.touches(first, 0, BYTES, AccessMode.READ);
            int other = step.touches(second, 0, BYTES, AccessMode.READ);
            step.lock();
            step.after(one);
            step.after(other);
            step.enter(late, 5, 6);
            step.leave();
          } finally {
            step.end();
          }
        },
        () -> assertThat(late.lock.isLocked()).as("locked before its turn").isFalse());
  }

  @Test
  void aStreamIsLockedBeforeALaterOneThatItWaitsFor() throws Exception {
    submit(late, first);
    whileLocked(
        early.lock,
        () -> read(early, first),
        () -> assertThat(late.lock.isLocked()).as("locked before its turn").isFalse());
  }

  @Test
  void aStreamThatWasWaitedForBeforeIsNotLockedAgain() throws Exception {
    submit(late, first);
    read(early, first);
    FutureTask<Void> again = new FutureTask<>(() -> read(early, first), null);
    Thread thread = new Thread(again);
    late.lock.lock();
    try {
      thread.start();
      while (!again.isDone()) {
        assertThat(late.lock.hasQueuedThreads()).as("it waits for the lock").isFalse();
        Thread.onSpinWait();
      }
    } finally {
      late.lock.unlock();
    }
    again.get();
  }

  private static void read(OrderedStream stream, History history) {
    Operation step = Operation.begin();
    try {
      int access = step.touches(history, 0, BYTES, AccessMode.READ);
      step.lock();
      step.after(access);
      step.enterLast(stream, 5, 6);
      step.leave();
    } finally {
      step.end();
    }
  }

  @Test
  void aHostWaitPicksItsEventUnderTheLockOfItsStream() throws Exception {
    submit(early, first);
    whileLocked(early.lock, () -> early.hostWait(1), () -> {});
  }

  @Test
  void aSleepingHostRecordsItsEventUnderTheLockOfItsStream() throws Exception {
    submit(early, first);
    whileLocked(early.lock, () -> early.hostWaitAsleep(1), () -> {});
  }

  @Test
  void whetherAStreamCapturesIsAskedUnderItsLock() throws Exception {
    whileLocked(early.lock, early::isCapturing, () -> {});
  }

  /** Another thread must come to wait for a lock of this one, and something holds meanwhile. */
  private static void whileLocked(ReentrantLock lock, Runnable other, Runnable check)
      throws Exception {
    FutureTask<Void> task = new FutureTask<>(other, null);
    lock.lock();
    try {
      new Thread(task).start();
      while (!lock.hasQueuedThreads()) {
        assertThat(task).as("it does without the lock").isNotDone();
        Thread.onSpinWait();
      }
      check.run();
    } finally {
      lock.unlock();
    }
    task.get();
  }

  static Stream<Consumer<HostWaits>> waysToWait() {
    return Stream.of(
        HostWaits::awaitBusily, HostWaits::await, waits -> assertThat(waits.awaitEnd()).isTrue());
  }

  @ParameterizedTest
  @MethodSource("waysToWait")
  void theHostWaitsForEveryStream(Consumer<HostWaits> wait) {
    submit(early, first);
    submit(late, first);
    HostWaits waits;
    Operation step = Operation.begin();
    try {
      History both = new History(BYTES);
      both.whenLocked(
          () -> {
            both.mark(0, BYTES, AccessMode.READ, early, 1);
            both.mark(0, BYTES, AccessMode.READ, late, 1);
          });
      int access = step.touches(both, 0, BYTES, AccessMode.WRITE);
      step.lock();
      step.after(access);
      waits = step.intoHostWaits();
    } finally {
      step.end();
    }
    assertThat(List.of(early.hasCompleted(1), late.hasCompleted(1))).containsOnly(false);
    wait.accept(waits);
    assertThat(List.of(early.hasCompleted(1), late.hasCompleted(1))).containsOnly(true);
  }

  @Test
  void aWaitDoesNotCoverUnrelatedWorkThatWasSubmittedLater() {
    submit(early, first, 7);
    submit(early, second, 8);
    submit(early, third, 9);
    Operation step = Operation.begin();
    try {
      int access = step.touches(first, 0, BYTES, AccessMode.READ);
      step.lock();
      step.after(access);
      step.enter(late, 7, 0);
      step.leave();
    } finally {
      step.end();
    }
    assertThat(late.isBehind(early, 1)).isTrue();
    assertThat(late.isBehind(early, 2)).isFalse();
  }

  @Test
  void aStreamNeedsNoWaitForItselfAndOneForAnother() {
    submit(early, first);
    Operation step = Operation.begin();
    try {
      int access = step.touches(first, 0, BYTES, AccessMode.WRITE);
      step.lock();
      step.after(access);
      assertThat(step.needsNoWait(early)).isTrue();
      assertThat(step.needsNoWait(late)).isFalse();
    } finally {
      step.end();
    }
  }

  @Test
  void theStreamOfALastUseIsLockedToo() throws Exception {
    submit(early, first);
    whileLocked(
        early.lock,
        () -> {
          Operation step = Operation.begin();
          try {
            step.afterLastUse(early, 1);
            step.enter(late, 1, 2);
            step.leave();
          } finally {
            step.end();
          }
        },
        () -> {});
  }

  /** On a thread of its own, whose step has room for nothing yet. */
  @Test
  void theFirstStepOfAThreadLocksItsStreamBesideThatOfALastUse() throws Exception {
    submit(late, first);
    FutureTask<Long> locked =
        new FutureTask<>(
            () -> {
              Operation step = Operation.begin();
              try {
                step.afterLastUse(late, 1);
                step.enter(early, 1, 2);
                return locks(early.lock, late.lock);
              } finally {
                step.end();
              }
            });
    new Thread(locked).start();
    assertThat(locked.get()).isEqualTo(2);
  }

  @Test
  void aStepBeginsInNoOther() {
    Operation step = Operation.begin();
    try {
      assertThatIllegalStateException().isThrownBy(Operation::begin);
    } finally {
      step.end();
    }
  }
}
