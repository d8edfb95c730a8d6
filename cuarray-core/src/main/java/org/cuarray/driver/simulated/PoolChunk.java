package org.cuarray.driver.simulated;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * What a pool took from its device in one growth, and gives back in one piece. Its free parts are
 * everybody's, or were freed in the order of a stream and are for those who come after that.
 */
final class PoolChunk {
  final Pool pool;
  final long address;
  final long bytes;
  final long mappedAt;
  private final FreeRanges free;
  private final List<Freed> freed = new ArrayList<>(0);

  private record Freed(long start, long size, Freeing freeing) {
    boolean overlaps(long from, long count) {
      return start < from + count && from < start + size;
    }
  }

  /**
   * A part of a chunk that was free.
   *
   * @param start its first address
   * @param after the frees that it comes after
   */
  record Taken(long start, List<Freeing> after) {
    static final Taken NOTHING = new Taken(-1, List.of());
  }

  PoolChunk(Pool pool, long address, long bytes, long mappedAt) {
    this.pool = pool;
    this.address = address;
    this.bytes = bytes;
    this.mappedAt = mappedAt;
    this.free = new FreeRanges(address, bytes);
  }

  /** Gives a part back. */
  void give(long start, long size, Freeing freeing) {
    if (freeing.isKnownToHost()) {
      free.give(start, size);
    } else {
      freed.add(new Freed(start, size, freeing));
    }
  }

  /**
   * Takes a part.
   *
   * @param mayFollow picks the frees after which the memory may be taken
   * @return {@link Taken#NOTHING} where nothing fits
   */
  Taken take(long size, long alignment, Predicate<Freeing> mayFollow) {
    settle();
    if (freed.isEmpty()) {
      long start = free.take(size, alignment);
      return start < 0 ? Taken.NOTHING : new Taken(start, List.of());
    }
    FreeRanges usable = free.copy();
    for (Freed part : freed) {
      if (mayFollow.test(part.freeing)) {
        usable.give(part.start, part.size);
      }
    }
    long start = usable.take(size, alignment);
    return start < 0 ? Taken.NOTHING : new Taken(start, cut(start, size));
  }

  /** What the host knows to be over is everybody's. */
  private void settle() {
    for (int i = freed.size() - 1; i >= 0; i--) {
      Freed part = freed.get(i);
      if (part.freeing.isKnownToHost()) {
        freed.remove(i);
        free.give(part.start, part.size);
      }
    }
  }

  private List<Freeing> cut(long start, long size) {
    List<Freeing> after = new ArrayList<>(1);
    for (Freed part : List.copyOf(freed)) {
      if (part.overlaps(start, size)) {
        after.add(part.freeing);
        freed.remove(part);
        addRest(part.start, start, part.freeing);
        addRest(start + size, part.start + part.size, part.freeing);
      }
    }
    free.remove(start, size);
    return after;
  }

  private void addRest(long from, long to, Freeing freeing) {
    if (from < to) {
      freed.add(new Freed(from, to - from, freeing));
    }
  }

  /** Whether nobody has any of it, nor will by what was submitted. */
  boolean isUnused() {
    FreeRanges all = free;
    if (!freed.isEmpty()) {
      all = free.copy();
      for (Freed part : freed) {
        if (part.freeing.hasHappened()) {
          all.give(part.start, part.size);
        }
      }
    }
    return all.isWhole(address, bytes);
  }
}
