package org.cuarray.tests.jmh;

import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;

/**
 * A simulated machine that, once it is hushed, answers every call of the hot path with success and
 * does nothing: what is measured then is the library alone. Memory allocated while it is hushed
 * must not be used, and must be freed before it is woken.
 */
final class QuietDriver implements ForwardedDevices, ForwardedMemory {
  /** Repetitions after which a stream has all the events that it will ever make. */
  static final int ENOUGH = 100;

  private static final long FIRST_ADDRESS = 1L << 52;
  private static final long SPACING = 1L << 20;
  private static final int ADDRESSES = 1 << 10;

  private final CudaDriver machine;
  private boolean hushed;
  private int allocated;

  QuietDriver(CudaDriver machine) {
    this.machine = machine;
  }

  @Override
  public CudaDriver machine() {
    return machine;
  }

  void hush() {
    hushed = true;
  }

  void wake() {
    hushed = false;
  }

  @Override
  public int ctxGetCurrent(long[] context) {
    return hushed ? CudaError.SUCCESS : machine.ctxGetCurrent(context);
  }

  @Override
  public int ctxSetCurrent(long context) {
    return hushed ? CudaError.SUCCESS : machine.ctxSetCurrent(context);
  }

  @Override
  public int ctxPushCurrent(long context) {
    return hushed ? CudaError.SUCCESS : machine.ctxPushCurrent(context);
  }

  @Override
  public int ctxPopCurrent(long[] context) {
    return hushed ? CudaError.SUCCESS : machine.ctxPopCurrent(context);
  }

  @Override
  public int memAllocFromPoolAsync(long[] pointer, long bytes, long pool, long stream) {
    if (!hushed) {
      return machine.memAllocFromPoolAsync(pointer, bytes, pool, stream);
    }
    pointer[0] = FIRST_ADDRESS + SPACING * (allocated++ % ADDRESSES);
    return CudaError.SUCCESS;
  }

  @Override
  public int memFreeAsync(long pointer, long stream) {
    return hushed ? CudaError.SUCCESS : machine.memFreeAsync(pointer, stream);
  }

  @Override
  public int memcpyPeerAsync(
      long destination,
      long destinationContext,
      long source,
      long sourceContext,
      long bytes,
      long stream) {
    return hushed
        ? CudaError.SUCCESS
        : machine.memcpyPeerAsync(
            destination, destinationContext, source, sourceContext, bytes, stream);
  }

  @Override
  public int memcpyDtoDAsync(long destination, long source, long bytes, long stream) {
    return hushed ? CudaError.SUCCESS : machine.memcpyDtoDAsync(destination, source, bytes, stream);
  }

  @Override
  public int eventRecord(long event, long stream) {
    return hushed ? CudaError.SUCCESS : machine.eventRecord(event, stream);
  }

  @Override
  public int eventQuery(long event) {
    return hushed ? CudaError.NOT_READY : machine.eventQuery(event);
  }

  @Override
  public int streamWaitEvent(long stream, long event, int flags) {
    return hushed ? CudaError.SUCCESS : machine.streamWaitEvent(stream, event, flags);
  }

  @Override
  public int streamQuery(long stream) {
    return hushed ? CudaError.NOT_READY : machine.streamQuery(stream);
  }
}
