package org.cuarray;

/**
 * How a device allocates its arrays.
 *
 * <p>The default is {@link #STREAM_ORDERED} where the device has memory pools, else {@link
 * #CLASSIC}.
 */
public enum AllocatorKind {
  /**
   * {@code cuMemAlloc} and {@code cuMemFree}. Slow to allocate (7 µs for 4 KiB, 287 µs for 64 MiB
   * to allocate and free on an H200), reached by plain peer access, and known to every library.
   */
  CLASSIC,

  /**
   * {@code cuMemAllocFromPoolAsync} and {@code cuMemFreeAsync} on a pool of this library's own:
   * below 1 µs from memory that the pool holds already. The pool must be granted to a peer before
   * that peer copies at full speed; the library does this.
   */
  STREAM_ORDERED
}
