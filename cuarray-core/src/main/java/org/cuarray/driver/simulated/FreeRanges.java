package org.cuarray.driver.simulated;

import java.util.Arrays;

/**
 * The free parts of an address range, first fit from the lowest address: what was freed last is
 * often handed out next, as the driver does and as code that keeps stale addresses must survive.
 */
final class FreeRanges {
  private long[] starts = new long[4];
  private long[] sizes = new long[4];
  private int count;

  /** Creates one with a single free range. */
  FreeRanges(long start, long size) {
    starts[0] = start;
    sizes[0] = size;
    count = 1;
  }

  private FreeRanges(FreeRanges other) {
    starts = other.starts.clone();
    sizes = other.sizes.clone();
    count = other.count;
  }

  /** A second one with the same free ranges. */
  FreeRanges copy() {
    return new FreeRanges(this);
  }

  /** Takes whatever of a range is free. */
  void remove(long start, long size) {
    for (int i = count - 1; i >= 0; i--) {
      long before = start - starts[i];
      long after = starts[i] + sizes[i] - (start + size);
      if (before < sizes[i] && after < sizes[i]) {
        cut(i, Math.max(before, 0), start + size, Math.max(after, 0));
      }
    }
  }

  /**
   * Takes a part.
   *
   * @param size bytes
   * @param alignment a power of two
   * @return its first address, or -1 where none fits
   */
  long take(long size, long alignment) {
    for (int i = 0; i < count; i++) {
      long start = (starts[i] + alignment - 1) & -alignment;
      long before = start - starts[i];
      long after = sizes[i] - before - size;
      if (after >= 0) {
        cut(i, before, start + size, after);
        return start;
      }
    }
    return -1;
  }

  /** Gives a part back. */
  void give(long start, long size) {
    int at = 0;
    while (at < count && starts[at] < start) {
      at++;
    }
    boolean joinsBefore = at > 0 && starts[at - 1] + sizes[at - 1] == start;
    boolean joinsAfter = at < count && start + size == starts[at];
    if (joinsBefore && joinsAfter) {
      sizes[at - 1] += size + sizes[at];
      removeAt(at);
    } else if (joinsBefore) {
      sizes[at - 1] += size;
    } else if (joinsAfter) {
      starts[at] = start;
      sizes[at] += size;
    } else {
      insertAt(at, start, size);
    }
  }

  /** Whether nothing of {@code [start, start + size)} is taken. */
  boolean isWhole(long start, long size) {
    return count == 1 && starts[0] == start && sizes[0] == size;
  }

  private void cut(int index, long before, long afterStart, long after) {
    if (before > 0) {
      sizes[index] = before;
      if (after > 0) {
        insertAt(index + 1, afterStart, after);
      }
    } else if (after > 0) {
      starts[index] = afterStart;
      sizes[index] = after;
    } else {
      removeAt(index);
    }
  }

  private void insertAt(int index, long start, long size) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      sizes = Arrays.copyOf(sizes, 2 * count);
    }
    System.arraycopy(starts, index, starts, index + 1, count - index);
    System.arraycopy(sizes, index, sizes, index + 1, count - index);
    starts[index] = start;
    sizes[index] = size;
    count++;
  }

  private void removeAt(int index) {
    count--;
    System.arraycopy(starts, index + 1, starts, index, count - index);
    System.arraycopy(sizes, index + 1, sizes, index, count - index);
  }
}
