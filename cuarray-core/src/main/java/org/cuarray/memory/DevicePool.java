package org.cuarray.memory;

import java.util.BitSet;
import java.util.concurrent.locks.ReentrantLock;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.DriverStatus;
import org.cuarray.driver.PoolAccess;
import org.cuarray.driver.PoolAttribute;
import org.cuarray.registry.DeviceContexts;

/**
 * A memory pool of our own on one device; the process's default pool stays untouched.
 *
 * <p>The pool keeps what it has between uses (allocating and freeing 1 GiB with a wait each costs
 * 89 µs so and 3600 µs with a release threshold of 0). Memory freed on another stream is reused
 * once that free has completed, or, before the pool would have to fail, by making the allocating
 * stream wait. Thread-safe.
 */
public final class DevicePool {
  private static final long KEEP_EVERYTHING = -1;

  private final CudaDriver driver;
  private final int ordinal;
  private final long handle;
  private final ReentrantLock lock = new ReentrantLock();
  private final BitSet granted = new BitSet();
  private boolean destroyed;

  /** Creates a pool that no other device may use. */
  public DevicePool(CudaDriver driver, int ordinal) {
    this.driver = driver;
    this.ordinal = ordinal;
    long[] pool = new long[1];
    DriverStatus.check(
        driver.memPoolCreate(pool, DeviceContexts.of(driver).device(ordinal)),
        "cuMemPoolCreate",
        ordinal);
    this.handle = pool[0];
    try {
      set(PoolAttribute.RELEASE_THRESHOLD, KEEP_EVERYTHING);
      set(PoolAttribute.REUSE_FOLLOW_EVENT_DEPENDENCIES, 1);
      set(PoolAttribute.REUSE_ALLOW_OPPORTUNISTIC, 1);
      set(PoolAttribute.REUSE_ALLOW_INTERNAL_DEPENDENCIES, 1);
      revokeInherited();
    } catch (RuntimeException e) {
      int unused = driver.memPoolDestroy(handle);
      throw e;
    }
  }

  /** The driver gives handles of destroyed pools out again, grants and all. */
  private void revokeInherited() {
    DeviceContexts contexts = DeviceContexts.of(driver);
    int[] access = new int[1];
    for (int peer = 0; peer < contexts.count(); peer++) {
      if (peer != ordinal) {
        int status = driver.memPoolGetAccess(access, handle, contexts.device(peer));
        if (status == CudaError.SUCCESS && access[0] != PoolAccess.NONE) {
          DriverStatus.check(
              driver.memPoolSetAccess(handle, contexts.device(peer), PoolAccess.NONE),
              "cuMemPoolSetAccess",
              ordinal);
        }
      }
    }
  }

  /** The driver's handle. */
  public long handle() {
    return handle;
  }

  /**
   * Lets another device read and write the pool, memory that it has and memory that it will get.
   * May block for milliseconds where the pool is large already.
   *
   * @param peer ordinal of the other device
   * @return {@code SUCCESS}, or why the pool is not accessible
   */
  public int grant(int peer) {
    lock.lock();
    try {
      if (granted.get(peer)) {
        return CudaError.SUCCESS;
      }
      if (destroyed) {
        return CudaError.INVALID_HANDLE;
      }
      int device = DeviceContexts.of(driver).device(peer);
      // One device a call: a descriptor that is refused takes the whole call down with it.
      int status = driver.memPoolSetAccess(handle, device, PoolAccess.READ_WRITE);
      if (status != CudaError.SUCCESS) {
        return status;
      }
      int[] access = new int[1];
      status = driver.memPoolGetAccess(access, handle, device);
      if (status != CudaError.SUCCESS) {
        return status;
      }
      if (access[0] != PoolAccess.READ_WRITE) {
        return CudaError.NOT_PERMITTED;
      }
      granted.set(peer);
      return CudaError.SUCCESS;
    } finally {
      lock.unlock();
    }
  }

  /** Takes the access of another device away again. */
  public void revoke(int peer) {
    lock.lock();
    try {
      if (granted.get(peer) && !destroyed) {
        granted.clear(peer);
        int unused =
            driver.memPoolSetAccess(
                handle, DeviceContexts.of(driver).device(peer), PoolAccess.NONE);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Bytes the pool holds of its device. */
  public long reserved() {
    return get(PoolAttribute.RESERVED_MEM_CURRENT);
  }

  /** Gives back to the device whatever is not in use. */
  void trim() {
    lock.lock();
    try {
      if (!destroyed) {
        int unused = driver.memPoolTrimTo(handle, 0);
      }
    } finally {
      lock.unlock();
    }
  }

  private void set(int attribute, long value) {
    DriverStatus.check(
        driver.memPoolSetAttribute(handle, attribute, value), "cuMemPoolSetAttribute", ordinal);
  }

  private long get(int attribute) {
    lock.lock();
    try {
      if (destroyed) {
        return 0;
      }
      long[] value = new long[1];
      int status = driver.memPoolGetAttribute(value, handle, attribute);
      return status == CudaError.SUCCESS ? value[0] : 0;
    } finally {
      lock.unlock();
    }
  }

  /** Revokes all grants, since the handle may be given out again, and destroys the pool. */
  public void destroy() {
    lock.lock();
    try {
      for (int peer = granted.nextSetBit(0); peer >= 0; peer = granted.nextSetBit(peer + 1)) {
        revoke(peer);
      }
      if (!destroyed) {
        destroyed = true;
        int unused = driver.memPoolDestroy(handle);
      }
    } finally {
      lock.unlock();
    }
  }
}
