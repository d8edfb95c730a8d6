package org.cuarray.stream;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Takes locks that others hold for about one driver call, a few microseconds: spins for so long
 * before it parks, since a thread that parked is woken tens of microseconds later.
 */
final class BriefLock {
  /** Some ten microseconds where {@link Thread#onSpinWait} takes tens of nanoseconds. */
  private static final int SPINS = Runtime.getRuntime().availableProcessors() > 1 ? 300 : 0;

  private BriefLock() {}

  static void lock(ReentrantLock lock) {
    for (int i = 0; i < SPINS; i++) {
      if (lock.tryLock()) {
        return;
      }
      Thread.onSpinWait();
    }
    lock.lock();
  }
}
