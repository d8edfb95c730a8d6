package org.cuarray.memory;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.cuarray.MemoryKind;
import org.cuarray.driver.CudaDriver;
import org.cuarray.registry.Allocation;

/** Numbers the residences of the process. Thread-safe. */
public final class Residences {
  private record Key(int ordinal, long context, MemoryKind kind, long pool) {}

  private final AtomicInteger next = new AtomicInteger(1);
  private final ConcurrentMap<Key, Residence> shared = new ConcurrentHashMap<>();

  /** Those of the process that uses this driver. */
  public static Residences of(CudaDriver driver) {
    return driver.process().get(Residences.class, Residences::new);
  }

  /** The residence of everything allocated from one of our pools. */
  Residence ofPool(int ordinal, long context, DevicePool pool) {
    return new Residence(
        next.getAndIncrement(), ordinal, context, MemoryKind.POOL, pool.handle(), pool);
  }

  /** The residence of memory that came from no pool, or from a pool that is not ours. */
  public Residence of(int ordinal, long context, MemoryKind kind, long pool) {
    return shared.computeIfAbsent(
        new Key(ordinal, context, kind, pool),
        key -> new Residence(next.getAndIncrement(), ordinal, context, kind, pool, null));
  }

  /** The residence of an allocation that is not ours. */
  Residence ofForeign(Allocation allocation, long pool) {
    return of(allocation.ordinal(), allocation.context(), allocation.kind(), pool);
  }
}
