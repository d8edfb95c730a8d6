package org.cuarray.driver.simulated;

import static org.cuarray.driver.CudaError.INVALID_VALUE;
import static org.cuarray.driver.CudaError.NOT_FOUND;
import static org.cuarray.driver.CudaError.OUT_OF_MEMORY;
import static org.cuarray.driver.CudaError.SUCCESS;

import org.cuarray.driver.DriverFlags;
import org.jspecify.annotations.Nullable;

/** Device memory that belongs to contexts, classic and managed, and the freeing of any kind. */
final class Memory {
  private static final long ALIGNMENT = 512;

  /** Allocations from here on begin on a large page, as the driver's do. */
  private static final long LARGE = 1L << 20;

  private static final long LARGE_ALIGNMENT = 2L << 20;

  private final Machine machine;
  private final Contexts contexts;
  private final Streams streams;
  private final Pools pools;

  Memory(Machine machine, Contexts contexts, Streams streams, Pools pools) {
    this.machine = machine;
    this.contexts = contexts;
    this.streams = streams;
    this.pools = pools;
  }

  int info(long[] free, long[] total) {
    Context context = contexts.current();
    if (context == null) {
      return contexts.refusal();
    }
    free[0] = context.device.memory - context.device.used;
    total[0] = context.device.memory;
    return SUCCESS;
  }

  int allocate(long[] pointer, long bytes) {
    return allocate(pointer, bytes, MemoryKind.CLASSIC);
  }

  int allocateManaged(long[] pointer, long bytes, int flags) {
    return flags == DriverFlags.MEM_ATTACH_GLOBAL || flags == DriverFlags.MEM_ATTACH_GLOBAL << 1
        ? allocate(pointer, bytes, MemoryKind.MANAGED)
        : INVALID_VALUE;
  }

  private int allocate(long[] pointer, long bytes, MemoryKind kind) {
    Context context = contexts.current();
    if (context == null) {
      return contexts.refusal();
    }
    if (bytes == 0) {
      return INVALID_VALUE;
    }
    Device device = context.device;
    if (bytes < 0
        || bytes > device.memory
        || !pools.take(device, Pools.roundUp(bytes, ALIGNMENT))) {
      return OUT_OF_MEMORY;
    }
    long alignment = bytes < LARGE ? ALIGNMENT : LARGE_ALIGNMENT;
    long address = machine.addressesOf(device).take(Pools.roundUp(bytes, ALIGNMENT), alignment);
    machine.memory.add(Block.of(machine, kind, address, bytes, context));
    pointer[0] = address;
    return SUCCESS;
  }

  /** {@code cuMemFree}: takes pool memory too, of any device, with or without a context. */
  int free(long pointer) {
    if (pointer == 0) {
      return SUCCESS;
    }
    Block block = machine.memory.startingAt(pointer);
    if (block == null || block.kind.isHost()) {
      return INVALID_VALUE;
    }
    if (block.isLost()) {
      return Machine.LOST;
    }
    machine.schedule.free(block);
    release(block, Freeing.PAST);
    return SUCCESS;
  }

  /** {@code cuMemFreeAsync}: takes classic memory too, of any device. */
  int freeAsync(long pointer, long streamHandle) {
    Stream stream = streams.usable(streamHandle);
    if (stream == null) {
      return streams.refusal(streamHandle);
    }
    if (pointer == 0) {
      return SUCCESS;
    }
    Block block = machine.memory.startingAt(pointer);
    if (block == null || block.kind.isHost()) {
      return INVALID_VALUE;
    }
    if (block.isLost()) {
      return Machine.LOST;
    }
    release(block, machine.schedule.free(stream, block));
    return SUCCESS;
  }

  /** From now on nobody finds the memory; others may have it after its freeing. */
  private void release(Block block, Freeing freeing) {
    machine.memory.remove(block);
    machine.findings.freed(block);
    Device device = block.device;
    PoolChunk chunk = block.chunk;
    if (chunk != null) {
      pools.free(block, chunk, freeing);
    } else if (device != null) {
      long rounded = Pools.roundUp(block.bytes, ALIGNMENT);
      device.give(rounded);
      machine.addressesOf(device).give(block.address, rounded);
    }
  }

  /** A context ended: what it allocated is freed; pool memory, which is no context's, stays. */
  void endAllOf(Context context, HostMemory host) {
    for (Block block : machine.memory.all()) {
      if (block.context == context) {
        if (block.kind == MemoryKind.PINNED) {
          host.release(block);
        } else {
          release(block, Freeing.PAST);
        }
      }
    }
  }

  int range(long[] base, long[] bytes, long pointer) {
    Context context = contexts.current();
    if (context == null) {
      return contexts.refusal();
    }
    Block block = machine.memory.containing(pointer);
    if (block == null || block.kind.isHost() || block.device != context.device) {
      return NOT_FOUND;
    }
    base[0] = block.address;
    bytes[0] = block.bytes;
    return SUCCESS;
  }

  /** The CUDA allocation that an address lies in; pageable memory is none. */
  @Nullable Block known(long pointer) {
    Block block = machine.memory.containing(pointer);
    return block == null || block.kind == MemoryKind.PAGEABLE ? null : block;
  }
}
