package org.cuarray.driver;

import java.nio.ByteBuffer;

/**
 * The CUDA driver calls that this library needs, as one interface of longs and ints.
 *
 * <p>Every method is the driver call of the same name without its {@code cu} prefix, takes the
 * driver's arguments in the driver's order and returns the driver's status code ({@link
 * CudaError#SUCCESS} is 0). Handles (contexts, streams, events, pools) and addresses are longs.
 * Results come back in element 0 of an array, which stays untouched where the status is not {@code
 * SUCCESS}. Nothing here decides anything: policy lives in the rooms above.
 *
 * <p>There are two implementations, the real driver and a simulated machine; both pass one
 * conformance suite. Recording, fault injection and checking are decorators, see {@link
 * InterceptedDriver}.
 *
 * <p>Thread-safe, as the driver is. The current context is a property of the calling thread.
 *
 * @see <a href="https://docs.nvidia.com/cuda/cuda-driver-api/">CUDA driver API</a>
 */
public interface CudaDriver {

  // ---- the process -----------------------------------------------------------------------------

  /**
   * What the rooms above remember about this driver for as long as the process lives: contexts,
   * peer links, orderings. It belongs to the driver, not to a runtime, because two runtimes of one
   * process share the driver's own state.
   *
   * @return always the same object
   */
  ProcessState process();

  /**
   * How this driver names itself to people: {@code "cuda"} or {@code "simulated:nvlink"}.
   *
   * @return a short name
   */
  String description();

  // ---- initialisation and devices --------------------------------------------------------------

  int init(int flags);

  /** {@code cuDriverGetVersion}: 1000 × major + 10 × minor, so 13000 is CUDA 13.0. */
  int driverGetVersion(int[] version);

  int deviceGetCount(int[] count);

  int deviceGet(int[] device, int ordinal);

  /** The name arrives as NUL-terminated ASCII. */
  int deviceGetName(byte[] name, int device);

  /** The 16 raw bytes of the UUID. */
  int deviceGetUuid(byte[] uuid, int device);

  int deviceTotalMem(long[] bytes, int device);

  /** See {@link DeviceAttribute} for the attributes. */
  int deviceGetAttribute(int[] value, int attribute, int device);

  /** 1 where {@code device} can reach {@code peer}'s memory. The driver's word, no proof. */
  int deviceCanAccessPeer(int[] canAccess, int device, int peer);

  int deviceGetDefaultMemPool(long[] pool, int device);

  // ---- contexts --------------------------------------------------------------------------------

  int devicePrimaryCtxRetain(long[] context, int device);

  int devicePrimaryCtxRelease(int device);

  /** {@code active[0]} is 1 where the primary context exists. */
  int devicePrimaryCtxGetState(int device, int[] flags, int[] active);

  int ctxCreate(long[] context, int flags, int device);

  int ctxDestroy(long context);

  /** 0 where the calling thread has no current context. */
  int ctxGetCurrent(long[] context);

  /** 0 leaves the calling thread without a current context. */
  int ctxSetCurrent(long context);

  int ctxPushCurrent(long context);

  int ctxPopCurrent(long[] context);

  /** The device of the current context. */
  int ctxGetDevice(int[] device);

  int ctxGetStreamPriorityRange(int[] least, int[] greatest);

  int ctxSynchronize();

  int ctxEnablePeerAccess(long peerContext, int flags);

  int ctxDisablePeerAccess(long peerContext);

  // ---- memory ----------------------------------------------------------------------------------

  /** Of the current context's device. */
  int memGetInfo(long[] free, long[] total);

  int memAlloc(long[] pointer, long bytes);

  int memFree(long pointer);

  int memAllocAsync(long[] pointer, long bytes, long stream);

  int memAllocFromPoolAsync(long[] pointer, long bytes, long pool, long stream);

  int memFreeAsync(long pointer, long stream);

  int memAllocManaged(long[] pointer, long bytes, int flags);

  /** Pinned host memory; the flags are {@code CU_MEMHOSTALLOC_*}. */
  int memHostAlloc(long[] address, long bytes, int flags);

  int memFreeHost(long address);

  /** Answers only for memory of the current context's device; else {@code NOT_FOUND}. */
  int memGetAddressRange(long[] base, long[] bytes, long pointer);

  /**
   * One attribute of a pointer, widened to a long ({@link PointerAttribute}). {@code INVALID_VALUE}
   * for a pointer that is not CUDA's.
   */
  int pointerGetAttribute(long[] value, int attribute, long pointer);

  /**
   * Several attributes at once, each widened to a long. Unlike {@link #pointerGetAttribute}, a
   * pointer that is not CUDA's gives {@code SUCCESS} and zeros.
   */
  int pointerGetAttributes(int count, int[] attributes, long[] values, long pointer);

  // ---- pools -----------------------------------------------------------------------------------

  /** {@code cuMemPoolCreate} for pinned device memory of {@code device}, no export handles. */
  int memPoolCreate(long[] pool, int device);

  int memPoolDestroy(long pool);

  /** See {@link PoolAttribute}. */
  int memPoolSetAttribute(long pool, int attribute, long value);

  int memPoolGetAttribute(long[] value, long pool, int attribute);

  /** {@code cuMemPoolSetAccess} with a single descriptor; flags are {@link PoolAccess}. */
  int memPoolSetAccess(long pool, int device, int flags);

  int memPoolGetAccess(int[] flags, long pool, int device);

  int memPoolTrimTo(long pool, long bytesToKeep);

  // ---- copies and fills ------------------------------------------------------------------------

  int memcpyAsync(long destination, long source, long bytes, long stream);

  int memcpyDtoDAsync(long destination, long source, long bytes, long stream);

  int memcpyPeerAsync(
      long destination,
      long destinationContext,
      long source,
      long sourceContext,
      long bytes,
      long stream);

  /** The host address may be pinned or pageable; pageable memory makes the call block. */
  int memcpyDtoHAsync(long hostDestination, long source, long bytes, long stream);

  int memcpyHtoDAsync(long destination, long hostSource, long bytes, long stream);

  int memcpyDtoH(long hostDestination, long source, long bytes);

  int memcpyHtoD(long destination, long hostSource, long bytes);

  int memsetD8Async(long pointer, byte value, long count, long stream);

  int memsetD16Async(long pointer, short value, long count, long stream);

  int memsetD32Async(long pointer, int value, long count, long stream);

  // ---- streams and events ----------------------------------------------------------------------

  int streamCreateWithPriority(long[] stream, int flags, int priority);

  int streamDestroy(long stream);

  int streamSynchronize(long stream);

  int streamQuery(long stream);

  int streamWaitEvent(long stream, long event, int flags);

  int streamGetCtx(long stream, long[] context);

  int streamGetPriority(long stream, int[] priority);

  /** {@code status[0]} is 0 where the stream is not capturing. */
  int streamIsCapturing(long stream, int[] status);

  int eventCreate(long[] event, int flags);

  int eventRecord(long event, long stream);

  int eventQuery(long event);

  int eventSynchronize(long event);

  int eventElapsedTime(float[] milliseconds, long start, long end);

  int eventDestroy(long event);

  // ---- host memory, which Java cannot reach by address alone ------------------------------------

  /**
   * Pageable host memory, as C's {@code malloc} gives it: zero-filled nowhere, unknown to CUDA. Not
   * a driver call.
   *
   * @return {@code SUCCESS} or {@code OUT_OF_MEMORY}
   */
  int hostMalloc(long[] address, long bytes);

  /** Gives back what {@link #hostMalloc} gave. */
  void hostFree(long address);

  /**
   * Java's window on host memory that came from {@link #memHostAlloc} or {@link #hostMalloc}: a
   * direct buffer in native byte order over {@code [address, address + bytes)}. It does not keep
   * the memory alive. Not a driver call.
   *
   * @param bytes at most {@link Integer#MAX_VALUE}
   * @throws IllegalArgumentException where {@code bytes} is too large for a buffer
   */
  ByteBuffer hostBuffer(long address, long bytes);
}
