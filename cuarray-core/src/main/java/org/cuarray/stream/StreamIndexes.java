package org.cuarray.stream;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;
import org.cuarray.driver.CudaDriver;

/**
 * Small numbers for the open streams of the process, so that "behind which ticket of which stream"
 * is an array and not a map.
 *
 * <p>A number that is used again goes on counting tickets where its last stream stopped: what
 * others remember of the old stream is then true of the new one as well. Thread-safe.
 */
final class StreamIndexes {
  /** An index, and the ticket before the first that its stream may give out. */
  record Slot(int index, long firstTicket) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Slot> free = new ArrayDeque<>();
  private int next;

  static StreamIndexes of(CudaDriver driver) {
    return driver.process().get(StreamIndexes.class, StreamIndexes::new);
  }

  Slot take() {
    lock.lock();
    try {
      Slot slot = free.poll();
      return slot != null ? slot : new Slot(next++, 0);
    } finally {
      lock.unlock();
    }
  }

  void giveBack(int index, long lastTicket) {
    lock.lock();
    try {
      free.add(new Slot(index, lastTicket));
    } finally {
      lock.unlock();
    }
  }
}
