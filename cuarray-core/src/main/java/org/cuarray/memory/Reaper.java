package org.cuarray.memory;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.cuarray.stream.HostWaits;
import org.jspecify.annotations.Nullable;

/**
 * Frees what can't be freed in stream order (classic and pinned memory, release actions), on a
 * thread of its own, once everything submitted on it has completed. Nobody who closes an array
 * waits for a device.
 *
 * <p>The thread is a daemon, starts with the first piece of work and ends when there has been none
 * for a while. Thread-safe.
 */
final class Reaper {
  private static final long IDLE_SECONDS = 10;

  private static final System.Logger LOG = System.getLogger("org.cuarray");

  private record Work(HostWaits after, Runnable free, Runnable leave) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<Work> queue = new ArrayDeque<>();
  private boolean working;
  private @Nullable Thread thread;

  /**
   * Frees something later.
   *
   * @param after what has to complete first
   * @param free frees it
   * @param leave instead, where it may still be in use and the driver would not say
   */
  void submit(HostWaits after, Runnable free, Runnable leave) {
    lock.lock();
    try {
      queue.add(new Work(after, free, leave));
      if (thread == null) {
        thread = new Thread(this::run, "cuarray-reaper");
        thread.setDaemon(true);
        thread.start();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    while (true) {
      Work work = next();
      if (work == null) {
        return;
      }
      try {
        if (work.after.awaitEnd()) {
          work.free.run();
        } else {
          work.leave.run();
        }
      } catch (RuntimeException | Error e) {
        // Others' memory is freed on this thread as well, so it goes on.
        LOG.log(System.Logger.Level.WARNING, "something failed while memory was freed", e);
      } finally {
        done();
      }
    }
  }

  private @Nullable Work next() {
    lock.lock();
    try {
      long nanos = TimeUnit.SECONDS.toNanos(IDLE_SECONDS);
      while (queue.isEmpty()) {
        if (nanos <= 0) {
          thread = null;
          return null;
        }
        try {
          nanos = changed.awaitNanos(nanos);
        } catch (InterruptedException e) {
          LOG.log(System.Logger.Level.DEBUG, "nobody needs to interrupt this thread", e);
        }
      }
      working = true;
      return queue.poll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether the calling thread is the one that frees. */
  boolean isCurrentThread() {
    lock.lock();
    try {
      return thread == Thread.currentThread();
    } finally {
      lock.unlock();
    }
  }

  private void done() {
    lock.lock();
    try {
      working = false;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until everything submitted so far has been freed.
   *
   * @return false where that took longer than the bound, and at once on the thread that frees: a
   *     release action that allocates would wait for itself
   */
  boolean drain(Duration bound) {
    lock.lock();
    try {
      if (thread == Thread.currentThread()) {
        return false;
      }
      long nanos = bound.toNanos();
      boolean interrupted = false;
      while (working || !queue.isEmpty()) {
        if (nanos <= 0) {
          return false;
        }
        try {
          nanos = changed.awaitNanos(nanos);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }
}
