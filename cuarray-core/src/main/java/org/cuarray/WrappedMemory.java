package org.cuarray;

import java.util.Objects;
import org.cuarray.memory.Block;
import org.cuarray.memory.ForeignMemory;
import org.cuarray.memory.Owner;
import org.cuarray.memory.Region;
import org.cuarray.registry.ForeignPointers.ForeignAllocation;
import org.cuarray.registry.PointerTable;
import org.cuarray.stream.AccessMode;
import org.cuarray.stream.StreamLease;
import org.jspecify.annotations.Nullable;

/** Makes arrays over memory by its address. */
final class WrappedMemory {
  private WrappedMemory() {}

  /**
   * Wraps.
   *
   * @param release null for memory that nobody waits to get back
   */
  static <T> CuArray<T> wrap(
      CuDevice device,
      DType<T, ?> dtype,
      long pointer,
      Shape shape,
      Producer producer,
      @Nullable Runnable release) {
    if (release == null) {
      return wrapped(device, dtype, pointer, shape, producer, null);
    }
    PendingRelease pending = new PendingRelease(release);
    try {
      CuArray<T> array = wrapped(device, dtype, pointer, shape, producer, pending);
      pending.decide(true);
      return array;
    } finally {
      pending.decide(false);
    }
  }

  private static <T> CuArray<T> wrapped(
      CuDevice device,
      DType<T, ?> dtype,
      long pointer,
      Shape shape,
      Producer producer,
      @Nullable Runnable release) {
    CuRuntime runtime = device.runtime();
    runtime.requireOpen();
    Objects.requireNonNull(dtype, "dtype");
    ArrayName name = new ArrayName(dtype, shape, device);
    long bytes = shape.byteSize(dtype);
    if (pointer % dtype.byteSize() != 0) {
      throw new IllegalArgumentException(
          "0x%x is not aligned to the %d bytes of an element: %s"
              .formatted(pointer, dtype.byteSize(), name));
    }
    AllocatorKind allocator = runtime.defaultAllocator(device.ordinal());
    if (bytes == 0) {
      // Others give an empty array any address, 0 included.
      Owner none = Owner.of(Block.empty(device.ordinal(), MemoryKind.UNKNOWN));
      return CuArray.owning(device, dtype, shape, releasing(runtime, none, release), 0, allocator);
    }
    Owner owner = owner(device, pointer, bytes, name);
    long offset = pointer - owner.block().base();
    try {
      producer.orderBefore(new Region(owner, offset, bytes, name));
    } catch (RuntimeException e) {
      owner.close();
      throw e;
    }
    return CuArray.owning(
        device, dtype, shape, releasing(runtime, owner, release), offset, allocator);
  }

  private static Owner releasing(CuRuntime runtime, Owner owner, @Nullable Runnable release) {
    return release == null ? owner : runtime.memory().releasing(owner, release);
  }

  /** Who may still be writing the memory. */
  @FunctionalInterface
  interface Producer {
    /** Makes what comes later on a region come after the producer's work. */
    void orderBefore(Region region);
  }

  /** Nothing tells which of the producer's streams still writes; its context knows them all. */
  static Producer afterContext(CuDevice device) {
    return region -> {
      if (region.block().isForeign()) {
        device.synchronizeContext(region.block().context());
      }
    };
  }

  static Producer after(CuStream producer) {
    return region -> {
      StreamLease.Request request = StreamLease.on(producer.ordered(), "the wrapping of " + region);
      request.touch(region, AccessMode.WRITE);
      request.open().close();
    };
  }

  private static Owner owner(CuDevice device, long pointer, long bytes, ArrayName name) {
    CuRuntime runtime = device.runtime();
    if (PointerTable.of(runtime.driver()).find(pointer) instanceof Block block
        && !block.isForeign()
        && !block.isFreed()) {
      requireFits(
          device,
          block.ordinal(),
          block.kind(),
          pointer,
          bytes,
          block.base() + block.bytes(),
          name);
      return Owner.borrowing(block);
    }
    ForeignAllocation allocation = runtime.registry().resolveForeign(pointer);
    requireFits(
        device,
        allocation.ordinal(),
        allocation.kind(),
        pointer,
        bytes,
        allocation.base() + allocation.bytes(),
        name);
    return ForeignMemory.of(runtime.driver()).adopt(allocation);
  }

  private static void requireFits(
      CuDevice device,
      int ordinal,
      MemoryKind kind,
      long pointer,
      long bytes,
      long end,
      ArrayName name) {
    if (kind == MemoryKind.PINNED_HOST) {
      throw new IllegalArgumentException(
          "0x%x is pinned host memory, and an array on a device was asked for: %s"
              .formatted(pointer, name));
    }
    if (ordinal != device.ordinal()) {
      throw new IllegalArgumentException(
          "0x%x is memory of cuda:%d, and was to be wrapped as %s"
              .formatted(pointer, ordinal, name));
    }
    if (bytes > end - pointer) {
      throw new IllegalArgumentException(
          "%s takes %d bytes, and the allocation ends %d bytes after 0x%x"
              .formatted(name, bytes, end - pointer, pointer));
    }
  }
}
