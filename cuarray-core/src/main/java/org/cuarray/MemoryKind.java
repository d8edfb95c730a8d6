package org.cuarray;

/**
 * What kind of memory a pointer points to, as far as the driver tells. It decides which proof a
 * peer link needs: a link that delivers classic memory may lose writes into a pool, and the other
 * way round.
 */
public enum MemoryKind {
  /** From {@code cuMemAlloc}, in a context: plain peer access reaches it. */
  CLASSIC,

  /** From a pool of this library's own, whose access grants it sets and reads. */
  POOL,

  /**
   * From a pool of somebody else, such as the device's default pool. Its grants are not this
   * library's to set; peer copies need an access that {@code cuMemPoolGetAccess} confirms.
   */
  FOREIGN_POOL,

  /** Page-locked memory of the host. */
  PINNED_HOST,

  /** From {@code cuMemAllocManaged}: it moves between the host and the devices by itself. */
  MANAGED,

  /**
   * Mapped by {@code cuMemMap} (virtual memory management): device memory of no context or pool.
   */
  VIRTUAL,

  /** Anything else, memory imported from other processes included where the driver lets it show. */
  UNKNOWN
}
