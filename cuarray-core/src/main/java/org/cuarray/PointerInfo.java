package org.cuarray;

/**
 * What a pointer points to.
 *
 * @param device where the memory lives; for pinned memory, the device of the context that pinned it
 * @param context the driver's handle of the context through which the memory is used: the pointer's
 *     own where the driver names one, else the device's. Never 0, also for pool memory
 * @param memoryKind how the memory was allocated
 * @param base first address of the allocation, which may lie before the pointer
 * @param size bytes of the allocation
 * @param owner whose allocation it is
 */
public record PointerInfo(
    CuDevice device, long context, MemoryKind memoryKind, long base, long size, Owner owner) {
  /** Whose an allocation is. */
  public enum Owner {
    /** Allocated by this library. */
    CUARRAY,
    /** Allocated by somebody else in this process, and never freed or changed by this library. */
    FOREIGN
  }
}
