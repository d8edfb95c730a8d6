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

  /**
   * The compiler that makes modules for this driver's devices. Not a driver call; loads nothing,
   * and fails nowhere: where there is no compiler, its first use says why.
   *
   * @return always the same object
   */
  KernelCompiler compiler();

  /**
   * Whether {@link #eventElapsedTime} tells how long a device took. Not a driver call.
   *
   * @return false for a machine on which nothing takes a device's time
   */
  default boolean keepsTime() {
    return true;
  }

  // ---- initialisation and devices --------------------------------------------------------------

  /**
   * {@code cuInit}: starts the driver for this process. Calling it again is harmless.
   *
   * @param flags 0
   * @return the driver's status
   */
  int init(int flags);

  /**
   * {@code cuDriverGetVersion}: the newest CUDA that the driver knows. Needs no {@link #init}.
   *
   * @param version gets 1000 × major + 10 × minor, so 13000 is CUDA 13.0
   * @return the driver's status
   */
  int driverGetVersion(int[] version);

  /**
   * {@code cuDeviceGetCount}: the devices that this process may see.
   *
   * @param count gets their number
   * @return the driver's status
   */
  int deviceGetCount(int[] count);

  /**
   * {@code cuDeviceGet}: the handle of a device.
   *
   * @param device gets the handle, which every other call takes
   * @param ordinal from 0; {@code INVALID_DEVICE} past the last
   * @return the driver's status
   */
  int deviceGet(int[] device, int ordinal);

  /**
   * {@code cuDeviceGetName}: the name of a device.
   *
   * @param name gets NUL-terminated ASCII, cut to what fits
   * @param device the device
   * @return the driver's status
   */
  int deviceGetName(byte[] name, int device);

  /**
   * {@code cuDeviceGetUuid}: the identity of a device.
   *
   * @param uuid gets 16 raw bytes
   * @param device the device
   * @return the driver's status
   */
  int deviceGetUuid(byte[] uuid, int device);

  /**
   * {@code cuDeviceTotalMem}: the memory of a device.
   *
   * @param bytes gets its size
   * @param device the device
   * @return the driver's status
   */
  int deviceTotalMem(long[] bytes, int device);

  /**
   * {@code cuDeviceGetAttribute}: a property of a device.
   *
   * @param value gets the property
   * @param attribute which, see {@link DeviceAttribute}
   * @param device the device
   * @return the driver's status
   */
  int deviceGetAttribute(int[] value, int attribute, int device);

  /**
   * {@code cuDeviceCanAccessPeer}: whether a device can reach another one's memory. The driver's
   * word, no proof.
   *
   * @param canAccess gets 1 where it can, 0 where it can't
   * @param device the device that reaches
   * @param peer the device whose memory it is
   * @return the driver's status
   */
  int deviceCanAccessPeer(int[] canAccess, int device, int peer);

  /**
   * {@code cuDeviceGetDefaultMemPool}: the pool that the whole process allocates from by default.
   *
   * @param pool gets its handle
   * @param device the device
   * @return the driver's status
   */
  int deviceGetDefaultMemPool(long[] pool, int device);

  // ---- contexts --------------------------------------------------------------------------------

  /**
   * {@code cuDevicePrimaryCtxRetain}: the context that the CUDA runtime library uses too; created
   * where there is none. Does not make it current.
   *
   * @param context gets its handle
   * @param device the device
   * @return the driver's status
   */
  int devicePrimaryCtxRetain(long[] context, int device);

  /**
   * {@code cuDevicePrimaryCtxRelease}: undoes one retain; the last one destroys the context.
   *
   * @param device the device
   * @return the driver's status
   */
  int devicePrimaryCtxRelease(int device);

  /**
   * {@code cuDevicePrimaryCtxGetState}: whether a device's primary context exists. Creates nothing.
   *
   * @param device the device
   * @param flags gets the flags of the context
   * @param active gets 1 where the context exists, else 0
   * @return the driver's status
   */
  int devicePrimaryCtxGetState(int device, int[] flags, int[] active);

  /**
   * {@code cuCtxCreate}: a context besides the primary one, current on the calling thread from now
   * on.
   *
   * @param context gets its handle
   * @param flags {@code CU_CTX_*}, 0 for none
   * @param device the device
   * @return the driver's status
   */
  int ctxCreate(long[] context, int flags, int device);

  /**
   * {@code cuCtxDestroy}: destroys what {@link #ctxCreate} made, with its memory, streams and
   * events.
   *
   * @param context the context
   * @return the driver's status
   */
  int ctxDestroy(long context);

  /**
   * {@code cuCtxGetCurrent}: the context of the calling thread.
   *
   * @param context gets its handle, 0 where there is none
   * @return the driver's status
   */
  int ctxGetCurrent(long[] context);

  /**
   * {@code cuCtxSetCurrent}: replaces the context of the calling thread.
   *
   * @param context the new one; 0 leaves the thread without
   * @return the driver's status
   */
  int ctxSetCurrent(long context);

  /**
   * {@code cuCtxPushCurrent}: makes a context current until the {@link #ctxPopCurrent} that belongs
   * to this call.
   *
   * @param context the context
   * @return the driver's status
   */
  int ctxPushCurrent(long context);

  /**
   * {@code cuCtxPopCurrent}: makes the context current that was so before the last push.
   *
   * @param context gets the handle of the one that no longer is
   * @return the driver's status
   */
  int ctxPopCurrent(long[] context);

  /**
   * {@code cuCtxGetDevice}: the device of the current context.
   *
   * @param device gets its handle
   * @return the driver's status
   */
  int ctxGetDevice(int[] device);

  /**
   * {@code cuCtxGetStreamPriorityRange}: what priorities streams of the current context may have;
   * lower numbers are more urgent.
   *
   * @param least gets the largest number
   * @param greatest gets the smallest
   * @return the driver's status
   */
  int ctxGetStreamPriorityRange(int[] least, int[] greatest);

  /**
   * {@code cuCtxSynchronize}: blocks until all work of the current context has completed.
   *
   * @return the driver's status
   */
  int ctxSynchronize();

  /**
   * {@code cuCtxEnablePeerAccess}: lets the current context use another one's memory, though not
   * what comes from pools.
   *
   * @param peerContext the context whose memory it is, of another device
   * @param flags 0
   * @return the driver's status
   */
  int ctxEnablePeerAccess(long peerContext, int flags);

  /**
   * {@code cuCtxDisablePeerAccess}: undoes {@link #ctxEnablePeerAccess}. Breaks transfers that are
   * under way.
   *
   * @param peerContext the context whose memory it is
   * @return the driver's status
   */
  int ctxDisablePeerAccess(long peerContext);

  // ---- memory ----------------------------------------------------------------------------------

  /**
   * {@code cuMemGetInfo}: the memory of the current context's device, as all processes together see
   * it.
   *
   * @param free gets the bytes that nobody holds
   * @param total gets the bytes of the device
   * @return the driver's status
   */
  int memGetInfo(long[] free, long[] total);

  /**
   * {@code cuMemAlloc}: memory of the current context's device.
   *
   * @param pointer gets the address
   * @param bytes at least 1
   * @return the driver's status
   */
  int memAlloc(long[] pointer, long bytes);

  /**
   * {@code cuMemFree}: frees device memory of any device and kind. May block until all its work has
   * completed.
   *
   * @param pointer the address that was given out; 0 is no error
   * @return the driver's status
   */
  int memFree(long pointer);

  /**
   * {@code cuMemAllocAsync}: memory from the current pool of the stream's device, to be used in the
   * order of the stream.
   *
   * @param pointer gets the address, at once
   * @param bytes how many; 0 gives address 0
   * @param stream the stream
   * @return the driver's status
   */
  int memAllocAsync(long[] pointer, long bytes, long stream);

  /**
   * {@code cuMemAllocFromPoolAsync}: memory from a given pool, to be used in the order of the
   * stream.
   *
   * @param pointer gets the address, at once
   * @param bytes how many
   * @param pool the pool
   * @param stream the stream
   * @return the driver's status
   */
  int memAllocFromPoolAsync(long[] pointer, long bytes, long pool, long stream);

  /**
   * {@code cuMemFreeAsync}: frees device memory in the order of a stream.
   *
   * @param pointer the address that was given out; 0 is no error
   * @param stream on which the memory is used last
   * @return the driver's status
   */
  int memFreeAsync(long pointer, long stream);

  /**
   * {@code cuMemAllocManaged}: memory that moves between the host and the devices by itself.
   *
   * @param pointer gets the address
   * @param bytes at least 1
   * @param flags {@code CU_MEM_ATTACH_*}, see {@link DriverFlags}
   * @return the driver's status
   */
  int memAllocManaged(long[] pointer, long bytes, int flags);

  /**
   * {@code cuMemHostAlloc}: pinned host memory.
   *
   * @param address gets the host address
   * @param bytes at least 1
   * @param flags {@code CU_MEMHOSTALLOC_*}, see {@link DriverFlags}
   * @return the driver's status
   */
  int memHostAlloc(long[] address, long bytes, int flags);

  /**
   * {@code cuMemFreeHost}: gives back what {@link #memHostAlloc} gave.
   *
   * @param address the address that was given out
   * @return the driver's status
   */
  int memFreeHost(long address);

  /**
   * {@code cuMemGetAddressRange}: the allocation that holds an address. Answers only for memory of
   * the current context's device; else {@code NOT_FOUND}.
   *
   * @param base gets the first address
   * @param bytes gets the size
   * @param pointer any address in it
   * @return the driver's status
   */
  int memGetAddressRange(long[] base, long[] bytes, long pointer);

  /**
   * {@code cuPointerGetAttribute}: one property of an address. {@code INVALID_VALUE} for one that
   * is not CUDA's.
   *
   * @param value gets the property, widened to a long
   * @param attribute which, see {@link PointerAttribute}
   * @param pointer any address
   * @return the driver's status
   */
  int pointerGetAttribute(long[] value, int attribute, long pointer);

  /**
   * {@code cuPointerGetAttributes}: several properties at once. Unlike {@link
   * #pointerGetAttribute}, an address that is not CUDA's gives {@code SUCCESS} and zeros, but -2
   * for the device ordinal.
   *
   * @param count how many
   * @param attributes which, see {@link PointerAttribute}
   * @param values gets the properties in the same order, each widened to a long
   * @param pointer any address
   * @return the driver's status
   */
  int pointerGetAttributes(int count, int[] attributes, long[] values, long pointer);

  // ---- pools -----------------------------------------------------------------------------------

  /**
   * {@code cuMemPoolCreate} for pinned device memory, without export handles.
   *
   * @param pool gets the handle
   * @param device the device
   * @return the driver's status
   */
  int memPoolCreate(long[] pool, int device);

  /**
   * {@code cuMemPoolDestroy}: destroys a pool once its last memory is freed.
   *
   * @param pool the pool
   * @return the driver's status
   */
  int memPoolDestroy(long pool);

  /**
   * {@code cuMemPoolSetAttribute}: changes a property of a pool.
   *
   * @param pool the pool
   * @param attribute which, see {@link PoolAttribute}
   * @param value its new value
   * @return the driver's status
   */
  int memPoolSetAttribute(long pool, int attribute, long value);

  /**
   * {@code cuMemPoolGetAttribute}: a property of a pool.
   *
   * @param value gets the property
   * @param pool the pool
   * @param attribute which, see {@link PoolAttribute}
   * @return the driver's status
   */
  int memPoolGetAttribute(long[] value, long pool, int attribute);

  /**
   * {@code cuMemPoolSetAccess} with a single descriptor: what a device may do to the memory of a
   * pool.
   *
   * @param pool the pool
   * @param device the device that may
   * @param flags what it may, see {@link PoolAccess}
   * @return the driver's status
   */
  int memPoolSetAccess(long pool, int device, int flags);

  /**
   * {@code cuMemPoolGetAccess}: what a device may do to the memory of a pool.
   *
   * @param flags gets it, see {@link PoolAccess}
   * @param pool the pool
   * @param device the device
   * @return the driver's status
   */
  int memPoolGetAccess(int[] flags, long pool, int device);

  /**
   * {@code cuMemPoolTrimTo}: gives memory that is not in use back to the device.
   *
   * @param pool the pool
   * @param bytesToKeep how much the pool may go on holding
   * @return the driver's status
   */
  int memPoolTrimTo(long pool, long bytesToKeep);

  // ---- copies and fills ------------------------------------------------------------------------

  /**
   * {@code cuMemcpyAsync}: copies between any two places; the driver finds out from the addresses
   * what they are.
   *
   * @param destination first address written
   * @param source first address read
   * @param bytes how many
   * @param stream the stream; 0 is the legacy default stream
   * @return the driver's status
   */
  int memcpyAsync(long destination, long source, long bytes, long stream);

  /**
   * {@code cuMemcpyDtoDAsync}: copies device memory to device memory. What overlaps is undefined.
   *
   * @param destination first address written
   * @param source first address read
   * @param bytes how many
   * @param stream the stream; 0 is the legacy default stream
   * @return the driver's status
   */
  int memcpyDtoDAsync(long destination, long source, long bytes, long stream);

  /**
   * {@code cuMemcpyPeerAsync}: copies from one context's device memory to another's. Without peer
   * access between them the driver stages through the host by itself.
   *
   * @param destination first address written
   * @param destinationContext the context of the destination
   * @param source first address read
   * @param sourceContext the context of the source
   * @param bytes how many
   * @param stream the stream; 0 is the legacy default stream
   * @return the driver's status
   */
  int memcpyPeerAsync(
      long destination,
      long destinationContext,
      long source,
      long sourceContext,
      long bytes,
      long stream);

  /**
   * {@code cuMemcpyDtoHAsync}: copies device memory to host memory. Pageable memory makes the call
   * block.
   *
   * @param hostDestination first host address written, pinned or pageable
   * @param source first address read
   * @param bytes how many
   * @param stream the stream; 0 is the legacy default stream
   * @return the driver's status
   */
  int memcpyDtoHAsync(long hostDestination, long source, long bytes, long stream);

  /**
   * {@code cuMemcpyHtoDAsync}: copies host memory to device memory. Pageable memory makes the call
   * block.
   *
   * @param destination first address written
   * @param hostSource first host address read, pinned or pageable
   * @param bytes how many
   * @param stream the stream; 0 is the legacy default stream
   * @return the driver's status
   */
  int memcpyHtoDAsync(long destination, long hostSource, long bytes, long stream);

  /**
   * {@code cuMemcpyDtoH}: copies device memory to host memory and waits for it.
   *
   * @param hostDestination first host address written
   * @param source first address read
   * @param bytes how many
   * @return the driver's status
   */
  int memcpyDtoH(long hostDestination, long source, long bytes);

  /**
   * {@code cuMemcpyHtoD}: copies host memory to device memory; returns when the host memory has
   * been read.
   *
   * @param destination first address written
   * @param hostSource first host address read
   * @param bytes how many
   * @return the driver's status
   */
  int memcpyHtoD(long destination, long hostSource, long bytes);

  /**
   * {@code cuMemsetD8Async}: writes one byte again and again. The stream's device must reach the
   * memory.
   *
   * @param pointer first address written
   * @param value what to write
   * @param count how many bytes
   * @param stream the stream; 0 is the legacy default stream
   * @return the driver's status
   */
  int memsetD8Async(long pointer, byte value, long count, long stream);

  /**
   * {@code cuMemsetD16Async}: writes one two-byte word again and again. The stream's device must
   * reach the memory.
   *
   * @param pointer first address written, aligned to the word
   * @param value what to write
   * @param count how many words
   * @param stream the stream; 0 is the legacy default stream
   * @return the driver's status
   */
  int memsetD16Async(long pointer, short value, long count, long stream);

  /**
   * {@code cuMemsetD32Async}: writes one four-byte word again and again. The stream's device must
   * reach the memory.
   *
   * @param pointer first address written, aligned to the word
   * @param value what to write
   * @param count how many words
   * @param stream the stream; 0 is the legacy default stream
   * @return the driver's status
   */
  int memsetD32Async(long pointer, int value, long count, long stream);

  // ---- streams and events ----------------------------------------------------------------------

  /**
   * {@code cuStreamCreateWithPriority}: a stream of the current context.
   *
   * @param stream gets the handle
   * @param flags {@code CU_STREAM_*}, see {@link DriverFlags}
   * @param priority lower is more urgent; what is out of range is brought into it
   * @return the driver's status
   */
  int streamCreateWithPriority(long[] stream, int flags, int priority);

  /**
   * {@code cuStreamDestroy}: destroys a stream; what it still has to do is done.
   *
   * @param stream the stream
   * @return the driver's status
   */
  int streamDestroy(long stream);

  /**
   * {@code cuStreamSynchronize}: blocks until all work of a stream has completed.
   *
   * @param stream the stream
   * @return the driver's status
   */
  int streamSynchronize(long stream);

  /**
   * {@code cuStreamQuery}: whether all work of a stream has completed.
   *
   * @param stream the stream
   * @return {@code SUCCESS} or {@code NOT_READY}, else what went wrong
   */
  int streamQuery(long stream);

  /**
   * {@code cuStreamWaitEvent}: what is submitted to a stream from now on runs after an event. An
   * event that was never recorded is no wait.
   *
   * @param stream the stream that waits, of any device
   * @param event as it was last recorded before this call
   * @param flags 0
   * @return the driver's status
   */
  int streamWaitEvent(long stream, long event, int flags);

  /**
   * {@code cuStreamGetCtx}: the context of a stream.
   *
   * @param stream the stream
   * @param context gets its handle
   * @return the driver's status
   */
  int streamGetCtx(long stream, long[] context);

  /**
   * {@code cuStreamGetPriority}: the priority of a stream.
   *
   * @param stream the stream
   * @param priority gets it; lower is more urgent
   * @return the driver's status
   */
  int streamGetPriority(long stream, int[] priority);

  /**
   * {@code cuStreamIsCapturing}: whether a stream's work goes into a graph instead of being run.
   *
   * @param stream the stream
   * @param status gets 0 where it does not
   * @return the driver's status
   */
  int streamIsCapturing(long stream, int[] status);

  /**
   * {@code cuEventCreate}: an event of the current context.
   *
   * @param event gets the handle
   * @param flags {@code CU_EVENT_*}, see {@link DriverFlags}
   * @return the driver's status
   */
  int eventCreate(long[] event, int flags);

  /**
   * {@code cuEventRecord}: lets an event stand for all that a stream was given so far. Recording it
   * again moves it.
   *
   * @param event the event, of the stream's context
   * @param stream the stream
   * @return the driver's status
   */
  int eventRecord(long event, long stream);

  /**
   * {@code cuEventQuery}: whether what an event stands for has completed.
   *
   * @param event the event
   * @return {@code SUCCESS} or {@code NOT_READY}, else what went wrong
   */
  int eventQuery(long event);

  /**
   * {@code cuEventSynchronize}: blocks until what an event stands for has completed.
   *
   * @param event the event
   * @return the driver's status
   */
  int eventSynchronize(long event);

  /**
   * {@code cuEventElapsedTime}: the time between two events that were made with timing and have
   * completed.
   *
   * @param milliseconds gets it
   * @param start the earlier event
   * @param end the later event
   * @return the driver's status
   */
  int eventElapsedTime(float[] milliseconds, long start, long end);

  /**
   * {@code cuEventDestroy}: destroys an event; waits that were submitted on it stand.
   *
   * @param event the event
   * @return the driver's status
   */
  int eventDestroy(long event);

  // ---- modules and kernels ---------------------------------------------------------------------

  /**
   * {@code cuModuleLoadDataEx} with a buffer for the error log: loads code into the current
   * context. PTX is compiled on the way, which may take seconds.
   *
   * @param module gets the handle
   * @param image a cubin, a fatbin, or PTX, whose closing NUL is added
   * @param errorLog gets, where the call fails, what the driver has against the code:
   *     NUL-terminated text, cut to what fits; of length 0 where that is not wanted
   * @return the driver's status
   */
  int moduleLoadDataEx(long[] module, byte[] image, byte[] errorLog);

  /**
   * {@code cuModuleUnload}: unloads a module from the current context. None of its functions may
   * still be running.
   *
   * @param module the module
   * @return the driver's status
   */
  int moduleUnload(long module);

  /**
   * {@code cuModuleGetFunction}: a kernel of a module.
   *
   * @param function gets the handle
   * @param module the module
   * @param name as it stands in the code, so mangled unless it was declared {@code extern "C"}
   * @return the driver's status; {@code NOT_FOUND} where the module has no kernel of that name
   */
  int moduleGetFunction(long[] function, long module, String name);

  /**
   * {@code cuFuncLoad}: finishes the loading of a kernel, which otherwise its first launch does,
   * and then may block until the device has nothing else to do. New in CUDA 12.4.
   *
   * @param function the kernel
   * @return the driver's status
   */
  int funcLoad(long function);

  /**
   * {@code cuFuncGetAttribute}: a property of a kernel on its device.
   *
   * @param value gets the property
   * @param attribute which, see {@link FunctionAttribute}
   * @param function the kernel
   * @return the driver's status
   */
  int funcGetAttribute(int[] value, int attribute, long function);

  /**
   * {@code cuFuncSetAttribute}: changes a property of a kernel.
   *
   * @param function the kernel
   * @param attribute which, see {@link FunctionAttribute}; few can be changed
   * @param value its new value
   * @return the driver's status
   */
  int funcSetAttribute(long function, int attribute, int value);

  /**
   * {@code cuFuncGetParamInfo}: where one parameter of a kernel lies. New in CUDA 12.4.
   *
   * @param function the kernel
   * @param index which parameter, from 0; {@code INVALID_VALUE} past the last
   * @param offset gets its first byte in the parameters of a launch
   * @param bytes gets its size
   * @return the driver's status
   */
  int funcGetParamInfo(long function, long index, long[] offset, long[] bytes);

  /**
   * {@code cuLaunchKernel} with its parameters in one piece ({@code
   * CU_LAUNCH_PARAM_BUFFER_POINTER}): runs a kernel in the order of a stream. The parameters have
   * been read when the call returns.
   *
   * @param function the kernel, of the stream's context, which must be current
   * @param gridX blocks in x, at least 1
   * @param gridY blocks in y, at least 1
   * @param gridZ blocks in z, at least 1
   * @param blockX threads of a block in x, at least 1
   * @param blockY threads of a block in y, at least 1
   * @param blockZ threads of a block in z, at least 1
   * @param sharedBytes shared memory of each block, besides what the kernel declares
   * @param stream the stream; 0 is the legacy default stream
   * @param parameters the values in native byte order, each where {@link #funcGetParamInfo} says
   * @param parameterBytes how many bytes of {@code parameters} count
   * @return the driver's status
   */
  int launchKernel(
      long function,
      int gridX,
      int gridY,
      int gridZ,
      int blockX,
      int blockY,
      int blockZ,
      int sharedBytes,
      long stream,
      byte[] parameters,
      int parameterBytes);

  // ---- host memory, which Java cannot reach by address alone ------------------------------------

  /**
   * Pageable host memory, as C's {@code malloc} gives it: zero-filled nowhere, unknown to CUDA. Not
   * a driver call.
   *
   * @param address gets the host address
   * @param bytes at least 1
   * @return {@code SUCCESS} or {@code OUT_OF_MEMORY}
   */
  int hostMalloc(long[] address, long bytes);

  /**
   * Gives back what {@link #hostMalloc} gave. Not a driver call.
   *
   * @param address the address that was given out
   */
  void hostFree(long address);

  /**
   * Java's window on host memory that came from {@link #memHostAlloc} or {@link #hostMalloc}: a
   * direct buffer in native byte order. It does not keep the memory alive. Not a driver call.
   *
   * @param address first host address
   * @param bytes at most {@link Integer#MAX_VALUE}
   * @return a buffer over {@code [address, address + bytes)}
   * @throws IllegalArgumentException where {@code bytes} is too large for a buffer
   */
  ByteBuffer hostBuffer(long address, long bytes);
}
