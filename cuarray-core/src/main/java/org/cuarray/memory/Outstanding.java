package org.cuarray.memory;

import com.google.common.util.concurrent.Uninterruptibles;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.cuarray.CuClosedException;

/**
 * Counts the allocations of one runtime that are not back yet, so that closing the runtime can wait
 * for the last: one that is just being made, one that another thread is closing, one that is freed
 * when a lease ends. Thread-safe.
 */
final class Outstanding {
  private static final long CLOSED = Long.MIN_VALUE;

  /** How many are out; with {@link #CLOSED} in the sign once no more may go out. */
  private final AtomicLong count = new AtomicLong();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition noneIsOut = lock.newCondition();

  /**
   * Makes an allocation, which is out until {@link #comeBack}, unless it fails.
   *
   * @throws CuClosedException where the runtime was closed
   */
  Block letOut(Supplier<Block> allocation) {
    boolean out = false;
    try {
      if (count.getAndIncrement() < 0) {
        throw new CuClosedException("the runtime whose memory was asked for was closed");
      }
      Block block = allocation.get();
      out = true;
      return block;
    } finally {
      if (!out) {
        comeBack();
      }
    }
  }

  /** When the memory was freed. */
  void comeBack() {
    if (count.decrementAndGet() == CLOSED) {
      lock.lock();
      try {
        noneIsOut.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Lets no more out, and waits for those that are.
   *
   * @return how many are still out after the bound
   */
  long close(Duration bound) {
    count.getAndUpdate(known -> known | CLOSED);
    long deadline = System.nanoTime() + bound.toNanos();
    lock.lock();
    try {
      long nanos = bound.toNanos();
      while (count.get() != CLOSED && nanos > 0) {
        boolean unused =
            Uninterruptibles.awaitUninterruptibly(noneIsOut, nanos, TimeUnit.NANOSECONDS);
        nanos = deadline - System.nanoTime();
      }
    } finally {
      lock.unlock();
    }
    return count.get() & ~CLOSED;
  }
}
