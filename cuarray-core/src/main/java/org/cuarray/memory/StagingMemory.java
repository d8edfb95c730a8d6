package org.cuarray.memory;

import java.util.concurrent.locks.ReentrantLock;
import org.cuarray.CuClosedException;
import org.cuarray.CuOutOfMemoryException;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.DriverFlags;
import org.cuarray.driver.DriverStatus;
import org.cuarray.registry.DeviceContexts;

/**
 * Host memory for staging: pinned where it can be had, in smaller pieces where it is short, and
 * pageable as a last resort, since a slow copy is better than none. Thread-safe.
 */
public final class StagingMemory {
  /** Below this a pinned piece is not worth its driver calls. */
  private static final long SMALLEST_PINNED = 64 << 10;

  private static final System.Logger LOG = System.getLogger("org.cuarray");

  /** One piece of host memory. */
  record Piece(long address, long bytes, boolean pinned) {}

  private final CudaDriver driver;
  private final DeviceContexts contexts;
  private final ReentrantLock lock = new ReentrantLock();
  private long held;
  private boolean warned;
  private boolean closed;

  StagingMemory(CudaDriver driver) {
    this.driver = driver;
    this.contexts = DeviceContexts.of(driver);
  }

  /**
   * Allocates a piece.
   *
   * @param ordinal through which device's context memory is pinned
   * @param wanted bytes
   * @return a piece of that size or less, down to 64 KiB
   * @throws CuOutOfMemoryException where the host has no memory left at all
   */
  Piece allocate(int ordinal, long wanted) {
    long least = Math.min(wanted, SMALLEST_PINNED);
    for (long bytes = wanted; bytes >= least; bytes /= 2) {
      long[] address = new long[1];
      int status = pin(address, ordinal, bytes);
      if (status == CudaError.SUCCESS) {
        return keep(new Piece(address[0], bytes, true));
      }
      if (status != CudaError.OUT_OF_MEMORY) {
        DriverStatus.check(status, "cuMemHostAlloc", ordinal, bytes);
      }
    }
    warnOnce(wanted);
    long[] address = new long[1];
    if (driver.hostMalloc(address, wanted) != CudaError.SUCCESS) {
      throw CuOutOfMemoryException.pinnedHost(wanted, held(), held());
    }
    return keep(new Piece(address[0], wanted, false));
  }

  private int pin(long[] address, int ordinal, long bytes) {
    contexts.enter(contexts.context(ordinal));
    try {
      return driver.memHostAlloc(address, bytes, DriverFlags.HOST_ALLOC_PORTABLE);
    } finally {
      contexts.leave();
    }
  }

  private Piece keep(Piece piece) {
    lock.lock();
    try {
      if (closed) {
        release(piece);
        throw new CuClosedException("the runtime that the transfer was made with was closed");
      }
      held += piece.bytes();
      return piece;
    } finally {
      lock.unlock();
    }
  }

  private void warnOnce(long wanted) {
    lock.lock();
    try {
      if (!warned) {
        warned = true;
        LOG.log(
            System.Logger.Level.WARNING,
            "no pinned host memory is left ({0} bytes wanted for staging): copies through the host"
                + " go through pageable memory, several times slower",
            wanted);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Bytes allocated now. */
  public long held() {
    lock.lock();
    try {
      return held;
    } finally {
      lock.unlock();
    }
  }

  /** Gives a piece back; nothing may be using it any more. */
  void free(Piece piece) {
    lock.lock();
    try {
      held -= piece.bytes();
    } finally {
      lock.unlock();
    }
    release(piece);
  }

  private void release(Piece piece) {
    if (piece.pinned()) {
      int unused = driver.memFreeHost(piece.address());
    } else {
      driver.hostFree(piece.address());
    }
  }

  /** From now on nothing is allocated. */
  void refuse() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
  }
}
