package org.cuarray.memory;

import java.time.Duration;
import org.cuarray.CuOutOfMemoryException;

/**
 * An allocator that, when another one is out of memory, first gives back what nobody uses, then
 * lets the garbage collector find arrays that nobody closed, before it gives up.
 */
final class PressureRelief implements DeviceMemoryAllocator {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration FOR_THE_CLEANER = Duration.ofMillis(200);

  private final DeviceMemoryAllocator allocator;
  private final Reaper reaper;
  private final Runnable trimAll;

  /**
   * Wraps an allocator.
   *
   * @param trimAll gives back what all allocators of the device keep in reserve
   */
  PressureRelief(DeviceMemoryAllocator allocator, Reaper reaper, Runnable trimAll) {
    this.allocator = allocator;
    this.reaper = reaper;
    this.trimAll = trimAll;
  }

  @Override
  public Block allocate(long bytes) {
    try {
      return allocator.allocate(bytes);
    } catch (CuOutOfMemoryException e) {
      return allocateFromWhatWasFreed(bytes);
    }
  }

  private Block allocateFromWhatWasFreed(long bytes) {
    relieve();
    try {
      return allocator.allocate(bytes);
    } catch (CuOutOfMemoryException e) {
      System.gc();
      CleanerPass.await(FOR_THE_CLEANER);
      relieve();
      return allocator.allocate(bytes);
    }
  }

  private void relieve() {
    reaper.drain(PATIENCE);
    trimAll.run();
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
