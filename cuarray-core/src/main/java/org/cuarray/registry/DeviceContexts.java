package org.cuarray.registry;

import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.ReentrantLock;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.DriverStatus;

/**
 * Device ↔ context for this process, and the calling thread's current context.
 *
 * <p>A device's context is its primary one, retained when something first needs it and kept until
 * the process ends, as the CUDA runtime does: peer links and their proofs hang on it. An
 * application may bind a context of its own instead, before the first use.
 *
 * <p>Thread-safe.
 */
public final class DeviceContexts {
  private static final ThreadLocal<long[]> SCRATCH = ThreadLocal.withInitial(() -> new long[1]);

  private final CudaDriver driver;
  private final int[] devices;
  private final AtomicLongArray contexts;
  private final ConcurrentMap<Long, Integer> ordinals = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();

  private DeviceContexts(CudaDriver driver) {
    this.driver = driver;
    DriverStatus.check(driver.init(0), "cuInit", DriverStatus.NO_DEVICE);
    int[] count = new int[1];
    DriverStatus.check(driver.deviceGetCount(count), "cuDeviceGetCount", DriverStatus.NO_DEVICE);
    devices = new int[count[0]];
    contexts = new AtomicLongArray(count[0]);
    int[] device = new int[1];
    for (int ordinal = 0; ordinal < devices.length; ordinal++) {
      DriverStatus.check(driver.deviceGet(device, ordinal), "cuDeviceGet", ordinal);
      devices[ordinal] = device[0];
    }
  }

  /** The contexts of the process that uses this driver; initialises the driver. */
  public static DeviceContexts of(CudaDriver driver) {
    return driver.process().get(DeviceContexts.class, () -> new DeviceContexts(driver));
  }

  /** How many devices there are. */
  public int count() {
    return devices.length;
  }

  /** The driver's handle of a device. */
  public int device(int ordinal) {
    return devices[ordinal];
  }

  /** The context of a device; creates the primary context at the first request. */
  public long context(int ordinal) {
    long context = contexts.get(ordinal);
    return context != 0 ? context : retainPrimary(ordinal);
  }

  /** Whether this process has used the device through this library. */
  public boolean isUsed(int ordinal) {
    return contexts.get(ordinal) != 0;
  }

  private long retainPrimary(int ordinal) {
    lock.lock();
    try {
      long known = contexts.get(ordinal);
      if (known != 0) {
        return known;
      }
      long[] context = new long[1];
      DriverStatus.check(
          driver.devicePrimaryCtxRetain(context, devices[ordinal]),
          "cuDevicePrimaryCtxRetain",
          ordinal);
      adopt(ordinal, context[0]);
      return context[0];
    } finally {
      lock.unlock();
    }
  }

  /**
   * Uses an application's context for a device from now on.
   *
   * @throws IllegalArgumentException where the context belongs to another device
   * @throws IllegalStateException where the device is already used through another context
   */
  public void bind(int ordinal, long context) {
    int owner = deviceOf(context);
    if (owner != ordinal) {
      throw new IllegalArgumentException(
          "context 0x%x belongs to cuda:%d and can't be bound to cuda:%d"
              .formatted(context, owner, ordinal));
    }
    lock.lock();
    try {
      long known = contexts.get(ordinal);
      if (known != 0 && known != context) {
        throw new IllegalStateException(
            "cuda:%d is already used through context 0x%x; bind context 0x%x before the first use"
                .formatted(ordinal, known, context));
      }
      adopt(ordinal, context);
    } finally {
      lock.unlock();
    }
  }

  private void adopt(int ordinal, long context) {
    ordinals.put(context, ordinal);
    contexts.set(ordinal, context);
  }

  /** The device of one of this library's contexts; empty for a context it does not use itself. */
  public OptionalInt ordinalOf(long context) {
    Integer ordinal = ordinals.get(context);
    return ordinal == null ? OptionalInt.empty() : OptionalInt.of(ordinal);
  }

  /**
   * The device of any context.
   *
   * @throws IllegalArgumentException where it is none of the visible devices
   */
  public int deviceOf(long context) {
    enter(context);
    try {
      int[] device = new int[1];
      DriverStatus.check(driver.ctxGetDevice(device), "cuCtxGetDevice", DriverStatus.NO_DEVICE);
      for (int ordinal = 0; ordinal < devices.length; ordinal++) {
        if (devices[ordinal] == device[0]) {
          return ordinal;
        }
      }
      throw new IllegalArgumentException(
          "context 0x%x belongs to device handle %d, which is none of the %d visible devices"
              .formatted(context, device[0], devices.length));
    } finally {
      leave();
    }
  }

  /**
   * Makes a context current on the calling thread, until {@link #leave}; the two are called in
   * pairs, and nothing that may park the thread happens between them.
   *
   * <p>Pushing and popping leave the thread's own context alone, "none" included, in two driver
   * calls; reading, setting and setting back are three.
   */
  public void enter(long context) {
    int status = driver.ctxPushCurrent(context);
    if (status != CudaError.SUCCESS) {
      int ordinal = ordinalOf(context).orElse(DriverStatus.NO_DEVICE);
      throw DriverStatus.failure(status, "cuCtxPushCurrent", ordinal, DriverStatus.NO_BYTES);
    }
  }

  /**
   * Makes a context current, unless it is or none is: for calls that name a stream of it and so
   * need no current context, but may look at memory from where another one stands ({@code
   * driver-facts.md}).
   *
   * @return whether {@link #leave} is to follow
   */
  public boolean enterInsteadOfAnother(long context) {
    long[] current = SCRATCH.get();
    if (driver.ctxGetCurrent(current) == CudaError.SUCCESS
        && (current[0] == 0 || current[0] == context)) {
      return false;
    }
    enter(context);
    return true;
  }

  /** Gives the calling thread its own context back; also after a failure, so it throws nothing. */
  public void leave() {
    int unused = driver.ctxPopCurrent(SCRATCH.get());
  }
}
