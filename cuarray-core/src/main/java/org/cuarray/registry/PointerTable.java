package org.cuarray.registry;

import com.google.common.collect.Range;
import com.google.common.collect.RangeMap;
import com.google.common.collect.TreeRangeMap;
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
 * have handed the address out while the old allocation was alive. Thread-safe.
 */
public final class PointerTable {
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private final Lock reading = lock.readLock();
  private final Lock writing = lock.writeLock();
  private final RangeMap<Long, Allocation> allocations = TreeRangeMap.create();

  /** The table of the process that uses this driver. */
  public static PointerTable of(CudaDriver driver) {
    return driver.process().get(PointerTable.class, PointerTable::new);
  }

  /** Enters an allocation. */
  public void add(Allocation allocation) {
    writing.lock();
    try {
      allocations.put(range(allocation), allocation);
    } finally {
      writing.unlock();
    }
  }

  /** Takes an allocation out, unless its addresses have been given to another one since. */
  public void remove(Allocation allocation) {
    writing.lock();
    try {
      if (allocations.get(allocation.base()) == allocation) {
        allocations.remove(range(allocation));
      }
    } finally {
      writing.unlock();
    }
  }

  /** The allocation that holds an address, interior ones included; null for an unknown address. */
  public @Nullable Allocation find(long pointer) {
    reading.lock();
    try {
      return allocations.get(pointer);
    } finally {
      reading.unlock();
    }
  }

  private static Range<Long> range(Allocation allocation) {
    return Range.closedOpen(allocation.base(), allocation.base() + allocation.bytes());
  }
}
