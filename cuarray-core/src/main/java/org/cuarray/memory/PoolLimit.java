package org.cuarray.memory;

import org.cuarray.CuOutOfMemoryException;

/** An allocator that refuses to pass a bound on the bytes in live arrays of a device. */
final class PoolLimit implements DeviceMemoryAllocator {
  private final DeviceMemoryAllocator allocator;
  private final Usage usage;
  private final long limit;

  PoolLimit(DeviceMemoryAllocator allocator, Usage usage, long limit) {
    this.allocator = allocator;
    this.usage = usage;
    this.limit = limit;
  }

  @Override
  public Block allocate(long bytes) {
    // Claimed first, so that two threads together can't pass the limit; the allocator counts the
    // block itself, so the claim is given back either way.
    if (usage.claim(bytes, limit)) {
      try {
        return allocator.allocate(bytes);
      } finally {
        usage.unclaim(bytes);
      }
    }
    throw CuOutOfMemoryException.overLimit(
        residence().ordinal(), bytes, usage.used(), reserved(), limit);
  }

  @Override
  public Residence residence() {
    return allocator.residence();
  }

  @Override
  public long reserved() {
    return allocator.reserved();
  }

  @Override
  public void trim() {
    allocator.trim();
  }
}
