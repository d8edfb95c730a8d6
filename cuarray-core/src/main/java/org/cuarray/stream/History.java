package org.cuarray.stream;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Who wrote and who read which bytes of one allocation last: the order of everything that touches
 * them.
 *
 * <p>Every byte lies in exactly one segment. A segment has the marks of its last writer and, per
 * stream, of its latest reader since. Segments split where an operation touches part of one, merge
 * again when they are equal, and are bounded in number; past the bound neighbours are merged, whose
 * marks then say a little too much: waits get coarser, never wrong. Bytes are counted from the
 * start of the allocation.
 *
 * <p>All state is guarded by {@link #lock}, which {@link Operation} takes.
 */
public final class History {
  /** Enough for the panels and halos of one array; a look-up is a walk over a few cache lines. */
  static final int MOST_SEGMENTS = 64;

  private static final AtomicLong IDS = new AtomicLong();

  final ReentrantLock lock = new ReentrantLock();
  private final long id = IDS.incrementAndGet();

  private Segment[] segments = new Segment[1];
  private int count;
  private @Nullable Holds holds;

  /** Marks of the bytes from {@link #from} to the next segment. */
  private static final class Segment {
    long from;
    final MarkSet writers = new MarkSet();
    final MarkSet readers = new MarkSet();

    void set(long start, Segment other) {
      from = start;
      writers.set(other.writers);
      readers.set(other.readers);
    }

    boolean hasSameMarks(Segment other) {
      return writers.hasSame(other.writers) && readers.hasSame(other.readers);
    }
  }

  private final long bytes;

  /**
   * The history of an allocation that nobody has touched yet.
   *
   * @param bytes its size
   */
  public History(long bytes) {
    this.bytes = bytes;
    segments[0] = new Segment();
    count = 1;
  }

  /** Position in the order in which the locks of several allocations are taken. */
  long id() {
    return id;
  }

  /** How many segments there are. */
  int segmentCount() {
    return count;
  }

  /** Adds what an access to {@code [from, to)} must come after. */
  void collect(long from, long to, AccessMode mode, MarkSet into) {
    assert lock.isHeldByCurrentThread() : "the lock of this history was not taken";
    for (int i = find(from); i < count && segments[i].from < to; i++) {
      into.addAll(segments[i].writers);
      if (mode == AccessMode.WRITE) {
        into.addAll(segments[i].readers);
      }
    }
  }

  /** Enters an access to {@code [from, to)} that was submitted as a ticket of a stream. */
  void mark(long from, long to, AccessMode mode, OrderedStream stream, long ticket) {
    assert lock.isHeldByCurrentThread() : "the lock of this history was not taken";
    if (from == to) {
      return;
    }
    int first = splitAt(from);
    int end = splitAt(to);
    if (mode == AccessMode.READ) {
      for (int i = first; i < end; i++) {
        segments[i].readers.add(stream, ticket);
      }
    } else {
      removeBetween(first + 1, end);
      segments[first].readers.clear();
      segments[first].writers.clear();
      segments[first].writers.add(stream, ticket);
      end = first + 1;
    }
    mergeEqual(Math.max(first - 1, 0), Math.min(end, count - 1));
    while (count > MOST_SEGMENTS) {
      mergeShortest();
    }
  }

  /** Index of the segment that holds a byte. */
  private int find(long position) {
    int low = 0;
    int high = count - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (segments[middle].from <= position) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** Makes a segment begin at a byte; returns its index, or the count for the end of it all. */
  private int splitAt(long position) {
    if (position >= bytes) {
      return count;
    }
    int i = find(position);
    if (segments[i].from == position) {
      return i;
    }
    insertAfter(i).set(position, segments[i]);
    return i + 1;
  }

  private Segment insertAfter(int i) {
    if (count == segments.length) {
      segments = Arrays.copyOf(segments, 2 * count);
    }
    // Segments taken out lie behind the count and are used again: no garbage in the steady state.
    Segment spare = segments[count] == null ? new Segment() : segments[count];
    System.arraycopy(segments, i + 1, segments, i + 2, count - i - 1);
    segments[i + 1] = spare;
    count++;
    return spare;
  }

  private void remove(int i) {
    Segment removed = segments[i];
    System.arraycopy(segments, i + 1, segments, i, count - i - 1);
    count--;
    segments[count] = removed;
  }

  private void removeBetween(int first, int end) {
    for (int i = end - 1; i >= first; i--) {
      remove(i);
    }
  }

  private void mergeEqual(int first, int last) {
    for (int i = Math.min(last, count - 1); i > first; i--) {
      if (segments[i].hasSameMarks(segments[i - 1])) {
        remove(i);
      }
    }
  }

  private void mergeShortest() {
    int shortest = 0;
    long length = Long.MAX_VALUE;
    for (int i = 0; i + 1 < count; i++) {
      long end = i + 2 < count ? segments[i + 2].from : bytes;
      if (end - segments[i].from < length) {
        length = end - segments[i].from;
        shortest = i;
      }
    }
    segments[shortest].writers.addAll(segments[shortest + 1].writers);
    segments[shortest].readers.addAll(segments[shortest + 1].readers);
    remove(shortest + 1);
  }

  // ---- holds -----------------------------------------------------------------------------------

  /** Under the lock: the hold that an access would violate; null where there is none. */
  @Nullable Hold conflicting(long from, long to, AccessMode mode) {
    return holds == null ? null : holds.conflicting(from, to, mode);
  }

  /** Under the lock. */
  void addHold(Hold hold) {
    if (holds == null) {
      holds = new Holds(lock);
    }
    holds.add(hold);
  }

  /** Under the lock. */
  void removeHold(Hold hold) {
    if (holds != null) {
      holds.remove(hold);
    }
  }

  /** Blocks until a hold that is still there has been released. */
  void awaitRelease(Hold hold) {
    lock.lock();
    try {
      if (holds != null) {
        holds.awaitRelease(hold);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Runs something under the lock of this history. */
  public void whenLocked(Runnable action) {
    lock.lock();
    try {
      action.run();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Runs something at once, or, while a range is held, when the last hold is released; always under
   * the lock of this history.
   */
  public void whenNotHeld(Runnable action) {
    lock.lock();
    try {
      if (holds == null) {
        action.run();
      } else {
        holds.whenNone(action);
      }
    } finally {
      lock.unlock();
    }
  }
}
