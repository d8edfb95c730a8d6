package org.cuarray.memory;

import org.cuarray.MemoryKind;
import org.jspecify.annotations.Nullable;

/**
 * Where memory lives and how it came to be, as far as the choice of a copy's path depends on it.
 * All blocks of one allocator share one residence.
 *
 * @param index unique among the residences of the process, small, and so an index
 * @param ordinal the device
 * @param context through which the memory is used; never 0
 * @param kind how it was allocated
 * @param pool handle of the pool it came from; 0 where it came from none
 * @param ours the pool, where it is one of our own and access to it may be granted; else null
 */
public record Residence(
    int index, int ordinal, long context, MemoryKind kind, long pool, @Nullable DevicePool ours) {

  /** Two residences are the same only where they are one. */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return index;
  }

  @Override
  public String toString() {
    return switch (kind) {
      case CLASSIC -> "classic memory of cuda:" + ordinal;
      case POOL -> "pool memory of cuda:" + ordinal;
      case FOREIGN_POOL -> "memory of a pool on cuda:" + ordinal + " that is not ours";
      case PINNED_HOST -> "pinned host memory";
      case MANAGED -> "managed memory of cuda:" + ordinal;
      case VIRTUAL -> "mapped or imported memory of cuda:" + ordinal;
      case UNKNOWN -> "memory of an unknown kind on cuda:" + ordinal;
    };
  }
}
