package org.cuarray;

import java.lang.ref.Cleaner;
import org.cuarray.stream.OrderedStream;

/**
 * A CUDA stream that other libraries, or one's own kernels, submit work to. The library's own
 * copies need none.
 *
 * <p>Work that is submitted to the stream's handle while a {@link CuLease} is open is ordered with
 * everything else on the arrays that the lease declares. Thread-safe.
 */
public final class CuStream implements AutoCloseable {
  private final CuDevice device;
  private final String name;
  private final int priority;
  private final OrderedStream stream;
  private final Cleaner.Cleanable watch;

  CuStream(CuDevice device, String name, int priority, OrderedStream stream) {
    this.device = device;
    this.name = name;
    this.priority = priority;
    this.stream = stream;
    this.watch = device.runtime().watch(this, stream, "stream " + name + " on " + device);
  }

  /**
   * Where the stream runs.
   *
   * @return its device
   */
  public CuDevice device() {
    return device;
  }

  /**
   * What it is called in messages.
   *
   * @return its name
   */
  public String name() {
    return name;
  }

  /**
   * How urgent its work is.
   *
   * @return as CUDA has it: lower is more urgent, 0 is normal
   */
  public int priority() {
    return priority;
  }

  /**
   * Opens a lease: the stream then comes after everything submitted so far on the declared arrays,
   * and the device's context is current on this thread until the lease is closed, on this thread.
   *
   * <p>While it is open, an operation of another thread that conflicts with a declared access
   * waits; one of this thread throws {@link IllegalStateException}, since it would wait for itself.
   *
   * @param accesses of arrays on this stream's device, none of them twice
   * @return a lease to be closed when the work has been submitted
   * @throws IllegalArgumentException where an array is on another device or of another runtime, or
   *     is declared twice
   * @throws IllegalStateException where the stream is capturing, or this is a virtual thread, whose
   *     current context would be that of a carrier
   */
  public CuLease lease(Access... accesses) {
    requireOpen();
    return CuLease.open(this, accesses);
  }

  /** Waits until everything submitted to the stream so far has completed. */
  public void synchronize() {
    requireOpen();
    stream.synchronize();
  }

  /**
   * Waits for the work on the stream, and destroys it unless it is a wrapped one; while leases of
   * it are open, that happens when the last of them is closed. A wrapped stream that is being
   * captured into a graph can't be waited for: then only the work of its leases is, and the capture
   * goes on. Idempotent; throws nothing.
   */
  @Override
  public void close() {
    stream.close();
    watch.clean();
  }

  /** The stream, for use now. */
  OrderedStream ordered() {
    requireOpen();
    return stream;
  }

  private void requireOpen() {
    device.runtime().requireOpen();
    if (stream.isClosed()) {
      throw new CuClosedException(this + " was closed");
    }
  }

  @Override
  public String toString() {
    return "stream " + name + " on " + device;
  }
}
