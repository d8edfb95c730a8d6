package org.cuarray.driver.simulated;

import static org.cuarray.driver.CudaError.INVALID_DEVICE;
import static org.cuarray.driver.CudaError.INVALID_VALUE;
import static org.cuarray.driver.CudaError.NOT_SUPPORTED;
import static org.cuarray.driver.CudaError.OUT_OF_MEMORY;
import static org.cuarray.driver.CudaError.SUCCESS;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Memory pools: they take memory from their device in steps of 32 MiB and give whole steps back at
 * a synchronisation, beyond their release threshold, or when trimmed.
 */
final class Pools {
  private static final long GROWTH = 32L << 20;

  /** What a pool settles for when its device has no room for a full step. */
  private static final long SMALL_GROWTH = 2L << 20;

  private static final long ALIGNMENT = 512;

  private final Machine machine;
  private final Peering peering;
  private final HandleTable<Pool> table = new HandleTable<>(HandleTable.POOLS);

  /** By ordinal, where recycled handles are to inherit grants. */
  private final Map<Integer, Pool> recycled = new HashMap<>(0);

  /** Destroyed pools that still hold memory. */
  private final List<Pool> ending = new ArrayList<>(0);

  Pools(Machine machine, Peering peering) {
    this.machine = machine;
    this.peering = peering;
  }

  int create(long[] handle, int ordinal) {
    Device device = machine.device(ordinal);
    int refusal = refusal(device);
    if (device == null || refusal != SUCCESS) {
      return refusal;
    }
    Pool pool = new Pool(device, machine.deviceCount());
    Pool dead = recycled.remove(ordinal);
    if (dead == null) {
      pool.handle = table.add(pool);
    } else {
      inherit(pool, dead);
    }
    device.pools.add(pool);
    handle[0] = pool.handle;
    return SUCCESS;
  }

  /** A recycled handle that brings its dead pool's grants along ({@code DESIGN.md}, section 3). */
  private void inherit(Pool pool, Pool dead) {
    pool.handle = dead.handle;
    table.reoccupy(dead.handle, pool);
    for (int i = 0; i < machine.deviceCount(); i++) {
      pool.setAccess(machine.devices(i), dead.access(machine.devices(i)));
    }
    peering.reopenAllOf(pool);
  }

  int defaultPool(long[] handle, int ordinal) {
    Device device = machine.device(ordinal);
    int refusal = refusal(device);
    if (device == null || refusal != SUCCESS) {
      return refusal;
    }
    handle[0] = defaultPool(device).handle;
    return SUCCESS;
  }

  private Pool defaultPool(Device device) {
    Pool pool = device.defaultPool;
    if (pool == null) {
      pool = new Pool(device, machine.deviceCount());
      pool.handle = table.add(pool);
      device.defaultPool = pool;
      device.pools.add(pool);
    }
    return pool;
  }

  private int refusal(@Nullable Device device) {
    if (device == null) {
      return INVALID_DEVICE;
    }
    if (device.lost) {
      return Machine.LOST;
    }
    return machine.spec.preset().hasPools() ? SUCCESS : NOT_SUPPORTED;
  }

  private @Nullable Pool usable(long handle) {
    Pool pool = table.get(handle);
    return pool == null || pool.device.lost ? null : pool;
  }

  private int refusal(long handle) {
    if (!machine.spec.preset().hasPools()) {
      return NOT_SUPPORTED;
    }
    return table.get(handle) == null ? INVALID_VALUE : Machine.LOST;
  }

  /** A pool with live allocations may go; they live on, and their memory goes with the last. */
  int destroy(long handle) {
    Pool pool = table.get(handle);
    if (pool == null || pool == pool.device.defaultPool) {
      return INVALID_VALUE;
    }
    peering.endAllOf(pool);
    pool.destroyed = true;
    pool.device.pools.remove(pool);
    if (machine.spec.recycledPoolsInheritGrants() && !recycled.containsKey(pool.device.ordinal)) {
      table.vacate(handle);
      recycled.put(pool.device.ordinal, pool);
    } else {
      table.remove(handle);
    }
    release(pool, 0);
    if (!pool.chunks.isEmpty()) {
      ending.add(pool);
    }
    return pool.device.lost ? Machine.LOST : SUCCESS;
  }

  int setAttribute(long handle, int attribute, long value) {
    Pool pool = usable(handle);
    if (pool == null) {
      return refusal(handle);
    }
    return Pool.isAttribute(attribute) && pool.setAttribute(attribute, value)
        ? SUCCESS
        : INVALID_VALUE;
  }

  int getAttribute(long[] value, long handle, int attribute) {
    Pool pool = usable(handle);
    if (pool == null) {
      return refusal(handle);
    }
    if (!Pool.isAttribute(attribute)) {
      return INVALID_VALUE;
    }
    value[0] = pool.attribute(attribute);
    return SUCCESS;
  }

  int setAccess(long handle, int ordinal, int flags) {
    Pool pool = usable(handle);
    return pool == null ? refusal(handle) : peering.setAccess(pool, ordinal, flags);
  }

  int getAccess(int[] flags, long handle, int ordinal) {
    Pool pool = usable(handle);
    Device device = machine.device(ordinal);
    if (pool == null) {
      return refusal(handle);
    }
    if (device == null) {
      return INVALID_DEVICE;
    }
    flags[0] = pool.access(device);
    return SUCCESS;
  }

  int trim(long handle, long bytesToKeep) {
    Pool pool = usable(handle);
    if (pool == null) {
      return refusal(handle);
    }
    release(pool, bytesToKeep);
    return SUCCESS;
  }

  /** {@code cuMemAllocAsync}: from the default pool of the stream's device. */
  int allocate(long[] pointer, long bytes, Stream stream) {
    int refusal = refusal(stream.device());
    return refusal == SUCCESS
        ? allocate(pointer, bytes, defaultPool(stream.device()), stream)
        : refusal;
  }

  /** {@code cuMemAllocFromPoolAsync}: the pool may be another device's than the stream. */
  int allocate(long[] pointer, long bytes, long handle, Stream stream) {
    Pool pool = usable(handle);
    return pool == null ? refusal(handle) : allocate(pointer, bytes, pool, stream);
  }

  private int allocate(long[] pointer, long bytes, Pool pool, Stream stream) {
    if (bytes == 0) {
      pointer[0] = 0;
      return SUCCESS;
    }
    if (bytes < 0 || bytes > pool.device.memory) {
      return OUT_OF_MEMORY;
    }
    long rounded = roundUp(bytes, ALIGNMENT);
    Block block = take(pool, bytes, rounded, stream);
    if (block == null) {
      return OUT_OF_MEMORY;
    }
    pool.use(rounded);
    machine.memory.add(block);
    pointer[0] = block.address;
    return SUCCESS;
  }

  /**
   * Memory is mapped before a stream is made to wait for some: that is the driver's last resort
   * (CUDA programming guide, {@code cudaMemPoolReuseAllowInternalDependencies}).
   */
  private @Nullable Block take(Pool pool, long bytes, long rounded, Stream stream) {
    Predicate<Freeing> mayFollow = freeing -> pool.mayFollow(freeing, stream);
    Block block = taken(pool, bytes, rounded, stream, mayFollow);
    if (block == null && grow(pool, rounded)) {
      block = taken(pool, bytes, rounded, stream, mayFollow);
    }
    if (block == null && pool.mayMakeWait()) {
      block = taken(pool, bytes, rounded, stream, freeing -> true);
    }
    return block;
  }

  private @Nullable Block taken(
      Pool pool, long bytes, long rounded, Stream stream, Predicate<Freeing> mayFollow) {
    for (PoolChunk chunk : pool.chunks) {
      PoolChunk.Taken taken = chunk.take(rounded, ALIGNMENT, mayFollow);
      if (taken.start() >= 0) {
        Block block = Block.inPool(machine, chunk, taken.start(), bytes);
        machine.schedule.allocate(stream, block, taken.after());
        return block;
      }
    }
    return null;
  }

  private boolean grow(Pool pool, long rounded) {
    long size = roundUp(rounded, GROWTH);
    if (!take(pool.device, size)) {
      size = roundUp(rounded, SMALL_GROWTH);
      if (!take(pool.device, size)) {
        return false;
      }
    }
    long address = machine.addressesOf(pool.device).take(size, SMALL_GROWTH);
    pool.chunks.add(new PoolChunk(pool, address, size, machine.tick()));
    pool.reserve(size);
    return true;
  }

  /**
   * Takes physical memory of a device. Where it is short, all pools first give up what they do not
   * use: NVIDIA says that trimming helps other processes only (rapidsai/rmm #1245).
   */
  boolean take(Device device, long bytes) {
    if (device.take(bytes)) {
      return true;
    }
    releaseEnded();
    for (int i = 0; i < device.pools.size(); i++) {
      release(device.pools.get(i), 0);
    }
    return device.take(bytes);
  }

  /** Takes an allocation back into its pool. */
  void free(Block block, PoolChunk chunk, Freeing freeing) {
    long rounded = roundUp(block.bytes, ALIGNMENT);
    chunk.give(block.address, rounded, freeing);
    chunk.pool.use(-rounded);
    if (chunk.pool.destroyed) {
      release(chunk.pool, 0);
    }
  }

  /** A device was synchronised with: its pools fall back to their release thresholds. */
  void synchronised(Device device) {
    releaseEnded();
    for (int i = 0; i < device.pools.size(); i++) {
      Pool pool = device.pools.get(i);
      release(pool, pool.releaseThreshold);
    }
  }

  private void releaseEnded() {
    for (int i = ending.size() - 1; i >= 0; i--) {
      release(ending.get(i), 0);
      if (ending.get(i).chunks.isEmpty()) {
        ending.remove(i);
      }
    }
  }

  private void release(Pool pool, long keep) {
    for (int i = 0; i < pool.chunks.size(); i++) {
      if (Long.compareUnsigned(pool.reserved, keep) <= 0) {
        return;
      }
      PoolChunk chunk = pool.chunks.get(i);
      if (chunk.isUnused()) {
        pool.chunks.remove(i--);
        pool.reserve(-chunk.bytes);
        pool.device.give(chunk.bytes);
        machine.addressesOf(pool.device).give(chunk.address, chunk.bytes);
      }
    }
  }

  static long roundUp(long bytes, long unit) {
    return (bytes + unit - 1) / unit * unit;
  }
}
