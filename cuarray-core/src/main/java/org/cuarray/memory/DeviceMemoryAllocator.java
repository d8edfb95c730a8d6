package org.cuarray.memory;

/**
 * Allocates memory of one device. Limits, statistics and the like are adaptors around another
 * allocator. Thread-safe.
 */
public interface DeviceMemoryAllocator {
  /**
   * Allocates a block, whose history says from when on it may be used.
   *
   * @param bytes at least 1
   * @return a block without an owner
   * @throws org.cuarray.CuOutOfMemoryException with what was asked, used and free
   */
  Block allocate(long bytes);

  /** Where its blocks live. */
  Residence residence();

  /** Bytes that it holds of the device, given out or not. */
  long reserved();

  /** Gives back to the device what is not given out. */
  void trim();
}
