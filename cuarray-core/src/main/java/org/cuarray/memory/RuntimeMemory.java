package org.cuarray.memory;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import org.cuarray.AllocatorKind;
import org.cuarray.CuClosedException;
import org.cuarray.CuDriverException;
import org.cuarray.CuOutOfMemoryException;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.DeviceAttribute;
import org.cuarray.driver.DriverStatus;
import org.cuarray.registry.DeviceContexts;
import org.cuarray.stream.HostWaits;
import org.cuarray.stream.StreamPolicy;
import org.jspecify.annotations.Nullable;

/**
 * All memory of one runtime: an allocator of each kind per device, made when first used, pinned
 * memory, staging, and the reaper behind them. Thread-safe.
 */
public final class RuntimeMemory {
  /** A shift through less than this is no faster on the device than through the host. */
  private static final long LEAST_SCRATCH = 1 << 20;

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final System.Logger LOG = System.getLogger("org.cuarray");

  private final CudaDriver driver;
  private final DeviceContexts contexts;
  private final StreamPolicy streams;
  private final OptionalLong limit;
  private final Reaper reaper = new Reaper();
  private final Outstanding outstanding = new Outstanding();
  private final PinnedAllocator pinned;
  private final Staging staging;
  private final AtomicReferenceArray<@Nullable DeviceMemoryAllocator> classic;
  private final AtomicReferenceArray<@Nullable DeviceMemoryAllocator> streamOrdered;
  private final AtomicReferenceArray<@Nullable DeviceMemoryAllocator> scratch;
  private final PoolAllocator[] pools;
  private final Usage[] usage;
  private final boolean[] hasPools;
  private final ReentrantLock lock = new ReentrantLock();
  private boolean closed;

  /**
   * The memory of one runtime.
   *
   * @param limit the most bytes in live arrays of one device
   */
  public RuntimeMemory(
      CudaDriver driver, StreamPolicy streams, StagingBounds bounds, OptionalLong limit) {
    this.driver = driver;
    this.contexts = DeviceContexts.of(driver);
    this.streams = streams;
    this.limit = limit;
    this.staging = new Staging(driver, contexts.count(), bounds);
    this.pinned = new PinnedAllocator(driver, outstanding, reaper, this::relievePinned);
    this.classic = new AtomicReferenceArray<>(contexts.count());
    this.streamOrdered = new AtomicReferenceArray<>(contexts.count());
    this.scratch = new AtomicReferenceArray<>(contexts.count());
    this.pools = new PoolAllocator[contexts.count()];
    this.usage = new Usage[contexts.count()];
    this.hasPools = new boolean[contexts.count()];
    for (int ordinal = 0; ordinal < usage.length; ordinal++) {
      usage[ordinal] = new Usage();
      hasPools[ordinal] = askForPools(driver, contexts, ordinal);
    }
  }

  /** Pinned host memory. */
  public PinnedAllocator pinned() {
    return pinned;
  }

  /** The staging rings. */
  public Staging staging() {
    return staging;
  }

  /** Whether a device has the stream-ordered allocator. */
  public boolean hasPools(int ordinal) {
    return hasPools[ordinal];
  }

  private static boolean askForPools(CudaDriver driver, DeviceContexts contexts, int ordinal) {
    int[] supported = new int[1];
    DriverStatus.check(
        driver.deviceGetAttribute(
            supported, DeviceAttribute.MEMORY_POOLS_SUPPORTED, contexts.device(ordinal)),
        "cuDeviceGetAttribute",
        ordinal);
    return supported[0] != 0;
  }

  /** The allocator of a device; creates its pool at the first request. */
  public DeviceMemoryAllocator allocator(int ordinal, AllocatorKind kind) {
    DeviceMemoryAllocator allocator = allocators(kind).get(ordinal);
    return allocator != null ? allocator : create(ordinal, kind);
  }

  private AtomicReferenceArray<@Nullable DeviceMemoryAllocator> allocators(AllocatorKind kind) {
    return switch (kind) {
      case CLASSIC -> classic;
      case STREAM_ORDERED -> streamOrdered;
    };
  }

  private DeviceMemoryAllocator create(int ordinal, AllocatorKind kind) {
    lock.lock();
    try {
      DeviceMemoryAllocator known = allocators(kind).get(ordinal);
      if (known != null) {
        return known;
      }
      if (closed) {
        throw new CuClosedException("the runtime whose memory was asked for was closed");
      }
      DeviceMemoryAllocator allocator = plain(ordinal, kind);
      if (limit.isPresent()) {
        allocator = new PoolLimit(allocator, usage[ordinal], limit.getAsLong());
      }
      allocator = new PressureRelief(allocator, reaper, () -> trim(ordinal));
      allocators(kind).set(ordinal, allocator);
      return allocator;
    } finally {
      lock.unlock();
    }
  }

  private DeviceMemoryAllocator plain(int ordinal, AllocatorKind kind) {
    return switch (kind) {
      case CLASSIC -> new ClassicAllocator(driver, ordinal, usage[ordinal], outstanding, reaper);
      case STREAM_ORDERED -> {
        PoolAllocator pool =
            new PoolAllocator(driver, streams, ordinal, usage[ordinal], outstanding);
        pools[ordinal] = pool;
        yield pool;
      }
    };
  }

  /**
   * Memory that an operation needs for itself: it counts neither as an array's nor against a limit,
   * and nothing is given up to get it.
   *
   * @param wanted bytes, at least 1
   * @return a block without an owner of that size or, where memory is short, of less, but not below
   *     {@value #LEAST_SCRATCH} bytes; null where the device has not even that
   */
  public @Nullable Block scratch(int ordinal, long wanted) {
    try {
      return scratch(scratchAllocator(ordinal), wanted);
    } catch (CuDriverException e) {
      LOG.log(System.Logger.Level.DEBUG, "an operation has to do without memory of its own", e);
      return null;
    }
  }

  private static @Nullable Block scratch(DeviceMemoryAllocator allocator, long wanted) {
    long least = Math.min(wanted, LEAST_SCRATCH);
    for (long bytes = wanted; bytes >= least; bytes /= 2) {
      try {
        return allocator.allocate(bytes);
      } catch (CuOutOfMemoryException e) {
        LOG.log(System.Logger.Level.DEBUG, "less memory for an operation will have to do", e);
      }
    }
    return null;
  }

  private DeviceMemoryAllocator scratchAllocator(int ordinal) {
    DeviceMemoryAllocator known = scratch.get(ordinal);
    if (known != null) {
      return known;
    }
    DeviceMemoryAllocator made;
    if (hasPools[ordinal]) {
      DeviceMemoryAllocator unused = allocator(ordinal, AllocatorKind.STREAM_ORDERED);
      made = pools[ordinal].apart();
    } else {
      made = new ClassicAllocator(driver, ordinal, new Usage(), outstanding, reaper);
    }
    // One that loses a race has taken no memory.
    scratch.set(ordinal, made);
    return made;
  }

  private void relievePinned() {
    reaper.drain(PATIENCE);
    staging.giveBackIdle(0);
  }

  private void trim(int ordinal) {
    for (AllocatorKind kind : AllocatorKind.values()) {
      DeviceMemoryAllocator allocator = allocators(kind).get(ordinal);
      if (allocator != null) {
        allocator.trim();
      }
    }
  }

  /** The same owner, which runs an action when the last of those that share it has let go. */
  public Owner releasing(Owner owner, Runnable action) {
    return owner.releasing(new ReleaseAction(reaper, action));
  }

  /**
   * Runs something once work has completed, on the thread that frees memory; closing waits for it.
   *
   * @param after what has to complete first
   * @param action does not run where the driver would not say whether the work has completed
   */
  public void whenCompleted(HostWaits after, Runnable action) {
    reaper.submit(after, action, () -> {});
  }

  /** Whether the calling thread is the one that frees, which closing would wait for. */
  public boolean isFreeing() {
    return reaper.isCurrentThread();
  }

  /** Bytes asked for by live arrays of a device. */
  public long used(int ordinal) {
    return usage[ordinal].used();
  }

  /** Bytes held of a device, in arrays or in reserve. */
  public long reserved(int ordinal) {
    long reserved = 0;
    for (AllocatorKind kind : AllocatorKind.values()) {
      DeviceMemoryAllocator allocator = allocators(kind).get(ordinal);
      reserved += allocator == null ? 0 : allocator.reserved();
    }
    return reserved;
  }

  /**
   * Free and total bytes of a device, as the driver counts them for all processes together.
   *
   * @return free at 0, total at 1
   */
  public long[] freeAndTotal(int ordinal) {
    long[] free = new long[1];
    long[] total = new long[1];
    contexts.enter(contexts.context(ordinal));
    try {
      DriverStatus.check(driver.memGetInfo(free, total), "cuMemGetInfo", ordinal);
    } finally {
      contexts.leave();
    }
    return new long[] {free[0], total[0]};
  }

  /**
   * Waits until everything that was allocated has been freed, refusing more, and gives back what is
   * kept in reserve. Streams must still be open: memory is freed on them.
   *
   * @return how many allocations were still out after the bound; their memory is left to the
   *     process's exit
   */
  public long close(Duration bound) {
    long out = outstanding.close(bound);
    reaper.drain(bound);
    staging.close();
    destroyPools();
    return out;
  }

  private void destroyPools() {
    lock.lock();
    try {
      // A thread that asks for the first array of a device at this moment would make one more.
      closed = true;
      for (PoolAllocator pool : pools) {
        if (pool != null) {
          pool.destroy();
        }
      }
    } finally {
      lock.unlock();
    }
  }
}
