package org.cuarray.registry;

import com.google.common.collect.Range;
import com.google.common.collect.RangeMap;
import com.google.common.collect.TreeRangeMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.cuarray.driver.CudaDriver;
import org.jspecify.annotations.Nullable;

/**
 * Pointer → allocation, for all memory of this process that the library knows.
 *
 * <p>With unified addressing every address belongs to at most one allocation at a time. Addresses
 * are reused, on another device too, so an entry replaces what it overlaps: the driver would not
 * have handed the address out while the old allocation was alive.
 *
 * <p>Allocations are sorted in when somebody looks one up. Most are freed before that, and cost a
 * hash set's add and remove: sorting in at once cost as much as the driver's own allocation.
 * Thread-safe.
 */
public final class PointerTable {
  /** A hash set keeps the size that it once had, and every later look-up would walk all of it. */
  private static final int MOST_UNSORTED = 1024;

  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private final Lock reading = lock.readLock();
  private final Lock writing = lock.writeLock();
  private final RangeMap<Long, Allocation> sorted = TreeRangeMap.create();
  private final Set<Allocation> unsorted = ConcurrentHashMap.newKeySet();

  /**
   * Never less than there are in {@link #unsorted}. The set itself adds up its size part by part:
   * it may call itself empty while others come and go, and one that is in it all the time is
   * missed.
   */
  private final AtomicInteger unsortedCount = new AtomicInteger();

  /** The table of the process that uses this driver. */
  public static PointerTable of(CudaDriver driver) {
    return driver.process().get(PointerTable.class, PointerTable::new);
  }

  /** Enters an allocation that was made just now, so that nothing else alive can overlap it. */
  public void add(Allocation allocation) {
    int count = unsortedCount.incrementAndGet();
    unsorted.add(allocation);
    if (count > MOST_UNSORTED) {
      sortIn();
    }
  }

  /**
   * Enters an allocation of somebody else's, which may be freed without our hearing of it: what we
   * allocate at its addresses later then takes its place.
   */
  public void addForeign(Allocation allocation) {
    writing.lock();
    try {
      sorted.put(range(allocation), allocation);
    } finally {
      writing.unlock();
    }
  }

  /** Takes an allocation out, but for addresses that were given to another one since. */
  public void remove(Allocation allocation) {
    if (unsorted.remove(allocation)) {
      unsortedCount.decrementAndGet();
      return;
    }
    writing.lock();
    try {
      // Foreign memory may have been freed, and parts of its range given to others.
      sorted.subRangeMap(range(allocation)).asMapOfRanges().entrySet().stream()
          .filter(part -> part.getValue() == allocation)
          .map(Map.Entry::getKey)
          .toList()
          .forEach(sorted::remove);
    } finally {
      writing.unlock();
    }
  }

  /** The allocation that holds an address, interior ones included; null for an unknown address. */
  public @Nullable Allocation find(long pointer) {
    if (unsortedCount.get() > 0) {
      sortIn();
    }
    reading.lock();
    try {
      return sorted.get(pointer);
    } finally {
      reading.unlock();
    }
  }

  /**
   * The allocations that have a byte in a range.
   *
   * @return a copy, by address
   */
  public List<Allocation> overlapping(long base, long bytes) {
    sortIn();
    reading.lock();
    try {
      return List.copyOf(
          sorted.subRangeMap(Range.closedOpen(base, base + bytes)).asMapOfRanges().values());
    } finally {
      reading.unlock();
    }
  }

  private void sortIn() {
    writing.lock();
    try {
      for (Allocation allocation : List.copyOf(unsorted)) {
        // Sorted in before it leaves the set, so that a remover that misses it there waits here.
        sorted.put(range(allocation), allocation);
        if (unsorted.remove(allocation)) {
          unsortedCount.decrementAndGet();
        } else {
          sorted.remove(range(allocation));
        }
      }
    } finally {
      writing.unlock();
    }
  }

  private static Range<Long> range(Allocation allocation) {
    return Range.closedOpen(allocation.base(), allocation.base() + allocation.bytes());
  }
}
