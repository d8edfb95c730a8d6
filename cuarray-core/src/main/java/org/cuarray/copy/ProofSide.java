package org.cuarray.copy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongToIntFunction;
import org.cuarray.MemoryKind;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.DriverFlags;
import org.cuarray.driver.DriverStatus;
import org.cuarray.memory.DevicePool;
import org.cuarray.registry.DeviceContexts;
import org.jspecify.annotations.Nullable;

/**
 * One side of a proof: memory of the kind in question, as its owner sees it, on a stream of its
 * own. Pool memory comes from a pool made for the proof, so that no pool in use is touched.
 */
final class ProofSide implements AutoCloseable {
  /** More than enough for a pool that grows by 32 MiB a step. */
  private static final int MOST_TRIES_TO_GROW = 8;

  /** An error that is somebody else's to hear of is met once. */
  private static final int ATTEMPTS = 3;

  private final CudaDriver driver;
  private final DeviceContexts contexts;
  private final int ordinal;
  private final long context;
  private final MemoryKind kind;
  private final List<ProofMemory> memory = new ArrayList<>();
  private final long[] handle = new long[1];
  private long stream;
  private long start;
  private long end;
  private @Nullable DevicePool pool;

  ProofSide(CudaDriver driver, int ordinal, long context, MemoryKind kind) {
    this.driver = driver;
    this.contexts = DeviceContexts.of(driver);
    this.ordinal = ordinal;
    this.context = context;
    this.kind = kind;
    contexts.enter(context);
    try {
      check(
          driver.streamCreateWithPriority(handle, DriverFlags.STREAM_NON_BLOCKING, 0),
          "cuStreamCreateWithPriority");
      stream = handle[0];
      check(driver.eventCreate(handle, 0), "cuEventCreate");
      start = handle[0];
      check(driver.eventCreate(handle, 0), "cuEventCreate");
      end = handle[0];
      if (kind == MemoryKind.POOL) {
        pool = new DevicePool(driver, ordinal);
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    } finally {
      contexts.leave();
    }
  }

  private void check(int status, String call) {
    DriverStatus.check(status, call, ordinal);
  }

  /** A buffer of the kind in question. */
  ProofMemory allocate(long bytes) {
    contexts.enter(context);
    try {
      if (pool != null) {
        DriverStatus.check(
            driver.memAllocFromPoolAsync(handle, bytes, pool.handle(), stream),
            "cuMemAllocFromPoolAsync",
            ordinal,
            bytes);
        check(driver.streamSynchronize(stream), "cuStreamSynchronize");
      } else {
        DriverStatus.check(driver.memAlloc(handle, bytes), "cuMemAlloc", ordinal, bytes);
      }
      ProofMemory buffer = new ProofMemory(handle[0], bytes);
      memory.add(buffer);
      return buffer;
    } finally {
      contexts.leave();
    }
  }

  /**
   * A buffer that was mapped just now: a pool may have mapped more than it gave out, so buffers are
   * taken until it has to grow.
   */
  ProofMemory allocateMapped(long bytes) {
    ProofMemory buffer = null;
    for (int i = 0; i < MOST_TRIES_TO_GROW; i++) {
      long before = pool == null ? 0 : pool.reserved();
      buffer = allocate(bytes);
      if (pool == null || pool.reserved() > before) {
        return buffer;
      }
    }
    throw new IllegalStateException(
        "a pool of cuda:%d gave %d buffers of %d bytes without growing"
            .formatted(ordinal, MOST_TRIES_TO_GROW, bytes));
  }

  /** Lets another device use the pool of this side. */
  int grant(int peer) {
    return pool == null ? CudaError.SUCCESS : pool.grant(peer);
  }

  /** The owner writes; returns when the bytes are there. */
  void write(long address, long host, long bytes) {
    onStream(
        () -> driver.memcpyHtoDAsync(address, host, bytes, stream), "cuMemcpyHtoDAsync", bytes);
  }

  /** The owner reads; returns when the bytes are there. */
  void read(long host, long address, long bytes) {
    onStream(
        () -> driver.memcpyDtoHAsync(host, address, bytes, stream), "cuMemcpyDtoHAsync", bytes);
  }

  private void onStream(java.util.function.IntSupplier submission, String call, long bytes) {
    contexts.enter(context);
    try {
      DriverStatus.check(submission.getAsInt(), call, ordinal, bytes);
      check(driver.streamSynchronize(stream), "cuStreamSynchronize");
    } finally {
      contexts.leave();
    }
  }

  /**
   * Runs a peer copy on this side's stream and waits for it.
   *
   * @return microseconds on the device; 0 where the driver does not say
   */
  double timed(LongToIntFunction submission, long bytes) {
    contexts.enter(context);
    try {
      check(driver.eventRecord(start, stream), "cuEventRecord");
      DriverStatus.check(submission.applyAsInt(stream), "cuMemcpyPeerAsync", ordinal, bytes);
      check(driver.eventRecord(end, stream), "cuEventRecord");
      check(driver.streamSynchronize(stream), "cuStreamSynchronize");
      if (!driver.keepsTime()) {
        return 0;
      }
      float[] milliseconds = new float[1];
      int status = driver.eventElapsedTime(milliseconds, start, end);
      return status == CudaError.SUCCESS ? milliseconds[0] * 1e3 : 0;
    } finally {
      contexts.leave();
    }
  }

  /**
   * Waits for everything submitted to the stream of this side. A device that was lost has ended it.
   *
   * @return false where the driver would not say
   */
  boolean hasEnded() {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int status = driver.streamSynchronize(stream);
      if (status == CudaError.SUCCESS
          || status == CudaError.DEINITIALIZED
          || CudaError.isSticky(status)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    contexts.enter(context);
    try {
      int unused = CudaError.SUCCESS;
      for (ProofMemory buffer : memory) {
        unused =
            pool != null
                ? driver.memFreeAsync(buffer.address(), stream)
                : driver.memFree(buffer.address());
      }
      if (stream != 0) {
        unused = driver.streamSynchronize(stream);
      }
      if (pool != null) {
        pool.destroy();
      }
      if (start != 0) {
        unused = driver.eventDestroy(start);
      }
      if (end != 0) {
        unused = driver.eventDestroy(end);
      }
      if (stream != 0) {
        unused = driver.streamDestroy(stream);
      }
      assert kind != MemoryKind.POOL || unused != CudaError.NOT_INITIALIZED;
    } finally {
      contexts.leave();
    }
  }
}
