package org.cuarray.stream;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The ranges of one allocation that somebody holds. Guarded by the lock of its history. */
final class Holds {
  private final List<Hold> holds = new ArrayList<>(1);
  private final Condition released;
  private final List<Runnable> whenNone = new ArrayList<>(0);

  Holds(ReentrantLock lock) {
    released = lock.newCondition();
  }

  @Nullable Hold conflicting(long from, long to, AccessMode mode) {
    for (int i = 0; i < holds.size(); i++) {
      Hold hold = holds.get(i);
      if (hold.conflicts(from, to, mode)) {
        return hold;
      }
    }
    return null;
  }

  void add(Hold hold) {
    holds.add(hold);
  }

  void remove(Hold hold) {
    holds.remove(hold);
    released.signalAll();
    if (holds.isEmpty()) {
      List<Runnable> waiting = List.copyOf(whenNone);
      whenNone.clear();
      waiting.forEach(Runnable::run);
    }
  }

  void awaitRelease(Hold hold) {
    while (holds.contains(hold)) {
      released.awaitUninterruptibly();
    }
  }

  /** Runs something now, or when the last hold has gone; in the order of the calls. */
  void whenNone(Runnable action) {
    if (holds.isEmpty()) {
      action.run();
    } else {
      whenNone.add(action);
    }
  }
}
