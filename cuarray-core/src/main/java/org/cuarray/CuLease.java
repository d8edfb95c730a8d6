package org.cuarray;

import java.lang.ref.Cleaner;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.DriverStatus;
import org.cuarray.stream.OrderedStream;
import org.cuarray.stream.StreamLease;

/**
 * A time in which work of other libraries may be submitted to a stream, in order with everything
 * else on the arrays that it declares.
 *
 * <pre>{@code
 * try (CuLease lease = stream.lease(read(a), read(b), readWrite(c))) {
 *   cublasSetStream(handle, JavaCpp.stream(lease));
 *   cublasSgemm(handle, …, JavaCpp.pointer(lease, a, FloatPointer.class), …);
 * }
 * c.copyTo(d);   // comes after the product
 * }</pre>
 *
 * <p>The device's context is current on the opening thread until the lease is closed; only that
 * thread may use it.
 */
public final class CuLease implements AutoCloseable {
  private final CuStream stream;
  private final CudaDriver driver;
  private final OrderedStream ordered;
  private final StreamLease lease;
  private final Map<CuArray<?>, Long> pointers;
  private final Cleaner.Cleanable watch;
  private final Thread thread = Thread.currentThread();
  private boolean contextPushed;

  private CuLease(
      CuStream stream, OrderedStream ordered, StreamLease lease, Map<CuArray<?>, Long> pointers) {
    this.stream = stream;
    this.driver = stream.device().runtime().driver();
    this.ordered = ordered;
    this.lease = lease;
    this.pointers = pointers;
    this.watch = stream.device().runtime().watch(this, lease, "a lease of " + stream);
  }

  static CuLease open(CuStream stream, Access... accesses) {
    if (VirtualThreads.isCurrent()) {
      throw new IllegalStateException(
          "a lease makes a context current, and on a virtual thread that would be the carrier's;"
              + " open leases on platform threads");
    }
    OrderedStream ordered = stream.ordered();
    StreamLease.Request request = StreamLease.on(ordered, "a lease of " + stream);
    Map<CuArray<?>, Long> pointers = new LinkedHashMap<>();
    for (Access access : accesses) {
      CuArray<?> array = access.array();
      requireUsable(stream, array);
      if (pointers.put(array, array.pointer()) != null) {
        throw new IllegalArgumentException(
            array + " is declared twice in one lease; use Access.readWrite once");
      }
      request.touch(array.leased(), access.mode());
    }
    CuLease lease = new CuLease(stream, ordered, request.open(), pointers);
    try {
      lease.pushContext();
    } catch (RuntimeException e) {
      lease.close();
      throw e;
    }
    return lease;
  }

  private static void requireUsable(CuStream stream, CuArray<?> array) {
    if (!array.device().equals(stream.device())) {
      throw new IllegalArgumentException(
          "%s can't be leased on %s: another device or runtime".formatted(array, stream));
    }
  }

  private void pushContext() {
    DriverStatus.check(
        driver.ctxPushCurrent(ordered.context()), "cuCtxPushCurrent", ordered.ordinal());
    contextPushed = true;
  }

  /**
   * The driver's handle of the stream, to submit to.
   *
   * @return a {@code CUstream}
   */
  public long stream() {
    requireOpen();
    return ordered.handle();
  }

  /**
   * The address of a declared array.
   *
   * @param array as it was declared
   * @return its first element on the device
   * @throws IllegalArgumentException where it was not declared, so that nothing orders its use
   */
  public long pointer(CuArray<?> array) {
    requireOpen();
    Long pointer = pointers.get(Objects.requireNonNull(array, "array"));
    if (pointer == null) {
      throw new IllegalArgumentException(
          "%s is not declared in the lease of %s, which declares %s"
              .formatted(array, stream, pointers.keySet()));
    }
    return pointer;
  }

  private void requireOpen() {
    if (lease.isClosed()) {
      throw new CuClosedException("the lease of " + stream + " was closed");
    }
  }

  /**
   * Ends the lease: what comes later on the declared arrays comes after everything submitted to the
   * stream so far. Idempotent.
   *
   * @throws IllegalStateException on another thread than the one that opened it, or while the
   *     stream is capturing; the lease stays open then, so that nothing gets out of order
   */
  @Override
  public void close() {
    // Closing the runtime ends a lease, but only this thread can put its own context back.
    if (lease.isClosed() && !contextPushed) {
      return;
    }
    if (Thread.currentThread() != thread) {
      throw new IllegalStateException(
          "the lease of %s was opened by %s and must be closed by it, not by %s"
              .formatted(stream, thread, Thread.currentThread()));
    }
    lease.requireNotCapturing();
    if (contextPushed) {
      contextPushed = false;
      long[] popped = new long[1];
      int unused = driver.ctxPopCurrent(popped);
    }
    lease.close();
    watch.clean();
  }

  @Override
  public String toString() {
    return "lease of " + stream + " for " + pointers.keySet();
  }
}
