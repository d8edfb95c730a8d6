package org.cuarray.tests.jmh;

import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.KernelCompiler;
import org.cuarray.driver.ProcessState;

/** Hands calls about devices, contexts, streams, events and modules on to a machine. */
interface ForwardedDevices extends CudaDriver {

  CudaDriver machine();

  @Override
  default ProcessState process() {
    return machine().process();
  }

  @Override
  default String description() {
    return machine().description();
  }

  @Override
  default KernelCompiler compiler() {
    return machine().compiler();
  }

  @Override
  default int init(int flags) {
    return machine().init(flags);
  }

  @Override
  default int driverGetVersion(int[] version) {
    return machine().driverGetVersion(version);
  }

  @Override
  default int deviceGetCount(int[] count) {
    return machine().deviceGetCount(count);
  }

  @Override
  default int deviceGet(int[] device, int ordinal) {
    return machine().deviceGet(device, ordinal);
  }

  @Override
  default int deviceGetName(byte[] name, int device) {
    return machine().deviceGetName(name, device);
  }

  @Override
  default int deviceGetUuid(byte[] uuid, int device) {
    return machine().deviceGetUuid(uuid, device);
  }

  @Override
  default int deviceTotalMem(long[] bytes, int device) {
    return machine().deviceTotalMem(bytes, device);
  }

  @Override
  default int deviceGetAttribute(int[] value, int attribute, int device) {
    return machine().deviceGetAttribute(value, attribute, device);
  }

  @Override
  default int deviceCanAccessPeer(int[] canAccess, int device, int peer) {
    return machine().deviceCanAccessPeer(canAccess, device, peer);
  }

  @Override
  default int deviceGetDefaultMemPool(long[] pool, int device) {
    return machine().deviceGetDefaultMemPool(pool, device);
  }

  @Override
  default int devicePrimaryCtxRetain(long[] context, int device) {
    return machine().devicePrimaryCtxRetain(context, device);
  }

  @Override
  default int devicePrimaryCtxRelease(int device) {
    return machine().devicePrimaryCtxRelease(device);
  }

  @Override
  default int devicePrimaryCtxGetState(int device, int[] flags, int[] active) {
    return machine().devicePrimaryCtxGetState(device, flags, active);
  }

  @Override
  default int ctxCreate(long[] context, int flags, int device) {
    return machine().ctxCreate(context, flags, device);
  }

  @Override
  default int ctxDestroy(long context) {
    return machine().ctxDestroy(context);
  }

  @Override
  default int ctxGetCurrent(long[] context) {
    return machine().ctxGetCurrent(context);
  }

  @Override
  default int ctxSetCurrent(long context) {
    return machine().ctxSetCurrent(context);
  }

  @Override
  default int ctxPushCurrent(long context) {
    return machine().ctxPushCurrent(context);
  }

  @Override
  default int ctxPopCurrent(long[] context) {
    return machine().ctxPopCurrent(context);
  }

  @Override
  default int ctxGetDevice(int[] device) {
    return machine().ctxGetDevice(device);
  }

  @Override
  default int ctxGetStreamPriorityRange(int[] least, int[] greatest) {
    return machine().ctxGetStreamPriorityRange(least, greatest);
  }

  @Override
  default int ctxSynchronize() {
    return machine().ctxSynchronize();
  }

  @Override
  default int ctxEnablePeerAccess(long peerContext, int flags) {
    return machine().ctxEnablePeerAccess(peerContext, flags);
  }

  @Override
  default int ctxDisablePeerAccess(long peerContext) {
    return machine().ctxDisablePeerAccess(peerContext);
  }

  @Override
  default int streamCreateWithPriority(long[] stream, int flags, int priority) {
    return machine().streamCreateWithPriority(stream, flags, priority);
  }

  @Override
  default int streamDestroy(long stream) {
    return machine().streamDestroy(stream);
  }

  @Override
  default int streamSynchronize(long stream) {
    return machine().streamSynchronize(stream);
  }

  @Override
  default int streamQuery(long stream) {
    return machine().streamQuery(stream);
  }

  @Override
  default int streamWaitEvent(long stream, long event, int flags) {
    return machine().streamWaitEvent(stream, event, flags);
  }

  @Override
  default int streamGetCtx(long stream, long[] context) {
    return machine().streamGetCtx(stream, context);
  }

  @Override
  default int streamGetPriority(long stream, int[] priority) {
    return machine().streamGetPriority(stream, priority);
  }

  @Override
  default int streamIsCapturing(long stream, int[] status) {
    return machine().streamIsCapturing(stream, status);
  }

  @Override
  default int eventCreate(long[] event, int flags) {
    return machine().eventCreate(event, flags);
  }

  @Override
  default int eventRecord(long event, long stream) {
    return machine().eventRecord(event, stream);
  }

  @Override
  default int eventQuery(long event) {
    return machine().eventQuery(event);
  }

  @Override
  default int eventSynchronize(long event) {
    return machine().eventSynchronize(event);
  }

  @Override
  default int eventElapsedTime(float[] milliseconds, long start, long end) {
    return machine().eventElapsedTime(milliseconds, start, end);
  }

  @Override
  default int eventDestroy(long event) {
    return machine().eventDestroy(event);
  }

  @Override
  default int moduleLoadDataEx(long[] module, byte[] image, byte[] errorLog) {
    return machine().moduleLoadDataEx(module, image, errorLog);
  }

  @Override
  default int moduleUnload(long module) {
    return machine().moduleUnload(module);
  }

  @Override
  default int moduleGetFunction(long[] function, long module, String name) {
    return machine().moduleGetFunction(function, module, name);
  }

  @Override
  default int funcLoad(long function) {
    return machine().funcLoad(function);
  }

  @Override
  default int funcGetAttribute(int[] value, int attribute, long function) {
    return machine().funcGetAttribute(value, attribute, function);
  }

  @Override
  default int funcSetAttribute(long function, int attribute, int value) {
    return machine().funcSetAttribute(function, attribute, value);
  }

  @Override
  default int funcGetParamInfo(long function, long index, long[] offset, long[] bytes) {
    return machine().funcGetParamInfo(function, index, offset, bytes);
  }

  @Override
  default int launchKernel(
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
      int parameterBytes) {
    return machine()
        .launchKernel(
            function,
            gridX,
            gridY,
            gridZ,
            blockX,
            blockY,
            blockZ,
            sharedBytes,
            stream,
            parameters,
            parameterBytes);
  }
}
