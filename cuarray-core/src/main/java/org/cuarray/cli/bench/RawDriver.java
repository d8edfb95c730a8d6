package org.cuarray.cli.bench;

import java.util.ArrayDeque;
import java.util.Deque;
import org.cuarray.CuRuntime;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.DriverFlags;
import org.cuarray.driver.DriverStatus;
import org.cuarray.driver.PoolAttribute;

/**
 * What a program on the bare driver calls would make for itself, through the same bindings and in
 * the same contexts as the library. Closing it gives everything back.
 */
final class RawDriver implements AutoCloseable {
  private final CuRuntime cuda;
  private final CudaDriver driver;
  private final Deque<Runnable> closing = new ArrayDeque<>();

  RawDriver(CuRuntime cuda, CudaDriver driver) {
    this.cuda = cuda;
    this.driver = driver;
  }

  CudaDriver calls() {
    return driver;
  }

  long context(int device) {
    return cuda.registry().contextOf(cuda.device(device));
  }

  /** Makes a device's context current on this thread. */
  void enter(int device) {
    check(driver.ctxSetCurrent(context(device)), "cuCtxSetCurrent", device);
  }

  /** Leaves this thread without a context, as most threads are. */
  void leave() {
    check(driver.ctxSetCurrent(0), "cuCtxSetCurrent", DriverStatus.NO_DEVICE);
  }

  /** A stream that does not synchronise with the legacy default stream. */
  long stream(int device) {
    long[] stream = new long[1];
    enter(device);
    try {
      check(
          driver.streamCreateWithPriority(stream, DriverFlags.STREAM_NON_BLOCKING, 0),
          "cuStreamCreateWithPriority",
          device);
    } finally {
      leave();
    }
    closing.push(() -> check(driver.streamDestroy(stream[0]), "cuStreamDestroy", device));
    return stream[0];
  }

  /** An event without timing. */
  long event(int device) {
    long[] event = new long[1];
    enter(device);
    try {
      check(driver.eventCreate(event, DriverFlags.EVENT_DISABLE_TIMING), "cuEventCreate", device);
    } finally {
      leave();
    }
    closing.push(() -> check(driver.eventDestroy(event[0]), "cuEventDestroy", device));
    return event[0];
  }

  /** A pool that keeps what it has and reuses it wherever it can. */
  long pool(int device) {
    long[] pool = new long[1];
    check(driver.memPoolCreate(pool, device(device)), "cuMemPoolCreate", device);
    closing.push(() -> check(driver.memPoolDestroy(pool[0]), "cuMemPoolDestroy", device));
    set(pool[0], PoolAttribute.RELEASE_THRESHOLD, -1, device);
    set(pool[0], PoolAttribute.REUSE_FOLLOW_EVENT_DEPENDENCIES, 1, device);
    set(pool[0], PoolAttribute.REUSE_ALLOW_OPPORTUNISTIC, 1, device);
    set(pool[0], PoolAttribute.REUSE_ALLOW_INTERNAL_DEPENDENCIES, 1, device);
    return pool[0];
  }

  private void set(long pool, int attribute, long value, int device) {
    check(driver.memPoolSetAttribute(pool, attribute, value), "cuMemPoolSetAttribute", device);
  }

  private int device(int ordinal) {
    int[] device = new int[1];
    check(driver.deviceGet(device, ordinal), "cuDeviceGet", ordinal);
    return device[0];
  }

  /** Pinned host memory for every context. */
  long pinned(int device, long bytes) {
    long[] address = new long[1];
    enter(device);
    try {
      check(
          driver.memHostAlloc(address, bytes, DriverFlags.HOST_ALLOC_PORTABLE),
          "cuMemHostAlloc",
          device);
    } finally {
      leave();
    }
    closing.push(() -> check(driver.memFreeHost(address[0]), "cuMemFreeHost", device));
    return address[0];
  }

  /** Pageable host memory, as {@code malloc} gives it: not a page of it is there yet. */
  long pageable(long bytes) {
    long[] address = new long[1];
    check(driver.hostMalloc(address, bytes), "malloc", DriverStatus.NO_DEVICE);
    closing.push(() -> driver.hostFree(address[0]));
    return address[0];
  }

  void synchronize(long stream, int device) {
    check(driver.streamSynchronize(stream), "cuStreamSynchronize", device);
  }

  /** Throws where a call of a series failed; their statuses were combined by "or". */
  static void check(int statuses, String call, int device) {
    DriverStatus.check(statuses, call, device);
  }

  @Override
  public void close() {
    while (!closing.isEmpty()) {
      closing.pop().run();
    }
  }
}
