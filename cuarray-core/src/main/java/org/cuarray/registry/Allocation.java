package org.cuarray.registry;

import org.cuarray.MemoryKind;

/** A contiguous piece of memory known to CUDA: where it lies and whose it is. */
public interface Allocation {
  /** First address. */
  long base();

  /** Size in bytes, at least 1. */
  long bytes();

  /** Ordinal of the device that it lives on; for pinned memory, of the context that pinned it. */
  int ordinal();

  /** The context through which the memory is used; never 0, also for pool memory. */
  long context();

  /** How it was allocated. */
  MemoryKind kind();
}
