package org.cuarray.stream;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * Who still uses a stream that is to be closed: threads that wait in the driver, whose events must
 * stay until they return, and leases, the last of which ends the stream.
 *
 * <p>Guarded by the stream's lock, but for {@link #isClosed}.
 */
final class StreamUsers {
  /** How soon a thread that waits for others notices that the process is ending. */
  private static final long SHUTDOWN_POLL_MILLIS = 100;

  /** Signalled when a host wait has ended, and when the stream was closed. */
  private final Condition changed;

  private int hostWaits;
  private int leases;
  private boolean closing;
  private volatile boolean closed;

  StreamUsers(Lock lock) {
    changed = lock.newCondition();
  }

  /** Whether {@link #close} was called. */
  boolean isClosing() {
    return closing;
  }

  /** Whether it has returned. */
  boolean isClosed() {
    return closed;
  }

  /** A stream that is being closed soon has nothing left to wait for. */
  void awaitClosing() {
    while (closing && !closed) {
      changed.awaitUninterruptibly();
    }
  }

  void hostWaitBegun() {
    hostWaits++;
  }

  void hostWaitEnded() {
    hostWaits--;
    changed.signalAll();
  }

  /** Somebody else may submit from now on, and the stream stays until they end. */
  void leaseOpened() {
    leases++;
  }

  /** Whether it was the last lease of a closed stream, which is to be ended then. */
  boolean leaseClosed() {
    leases--;
    return closed && leases == 0;
  }

  /**
   * Lets nobody begin any more, waits for the threads in the driver, and ends the stream unless a
   * lease will. Does nothing the second time.
   */
  void close(StreamHandle handle, Runnable end) {
    awaitClosing();
    if (closed) {
      return;
    }
    closing = true;
    try {
      awaitHostWaits(handle);
      if (leases == 0) {
        end.run();
      }
    } finally {
      closed = true;
      changed.signalAll();
    }
  }

  /** At the process's end they may never end, and nothing is destroyed either. */
  void awaitHostWaits(StreamHandle handle) {
    boolean interrupted = false;
    while (hostWaits > 0 && !handle.isOfAnEndingProcess()) {
      try {
        boolean unused = changed.await(SHUTDOWN_POLL_MILLIS, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
