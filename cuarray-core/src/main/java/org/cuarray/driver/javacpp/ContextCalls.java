package org.cuarray.driver.javacpp;

import org.bytedeco.cuda.cudart.CUctx_st;
import org.bytedeco.cuda.global.cudart;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;

/** Contexts, the calling thread's current one, and peer access between them. */
interface ContextCalls extends CudaDriver {

  @Override
  default int ctxCreate(long[] context, int flags, int device) {
    CUctx_st result = Handles.ofThread().context(0);
    int status = cudart.cuCtxCreate(result, null, flags, device);
    if (status == CudaError.SUCCESS) {
      context[0] = result.address();
    }
    return status;
  }

  @Override
  default int ctxDestroy(long context) {
    return cudart.cuCtxDestroy(Handles.ofThread().context(context));
  }

  @Override
  default int ctxGetCurrent(long[] context) {
    CUctx_st result = Handles.ofThread().context(0);
    int status = cudart.cuCtxGetCurrent(result);
    if (status == CudaError.SUCCESS) {
      context[0] = result.address();
    }
    return status;
  }

  @Override
  default int ctxSetCurrent(long context) {
    return cudart.cuCtxSetCurrent(Handles.ofThread().context(context));
  }

  @Override
  default int ctxPushCurrent(long context) {
    return cudart.cuCtxPushCurrent(Handles.ofThread().context(context));
  }

  @Override
  default int ctxPopCurrent(long[] context) {
    CUctx_st result = Handles.ofThread().context(0);
    int status = cudart.cuCtxPopCurrent(result);
    if (status == CudaError.SUCCESS) {
      context[0] = result.address();
    }
    return status;
  }

  @Override
  default int ctxGetDevice(int[] device) {
    ResultMemory results = Handles.ofThread().results();
    int status = cudart.cuCtxGetDevice(results.anInt);
    if (status == CudaError.SUCCESS) {
      device[0] = results.intAt(0);
    }
    return status;
  }

  @Override
  default int ctxGetStreamPriorityRange(int[] least, int[] greatest) {
    ResultMemory results = Handles.ofThread().results();
    int status = cudart.cuCtxGetStreamPriorityRange(results.anInt, results.otherInt);
    if (status == CudaError.SUCCESS) {
      least[0] = results.intAt(0);
      greatest[0] = results.intAt(1);
    }
    return status;
  }

  @Override
  default int ctxSynchronize() {
    return cudart.cuCtxSynchronize();
  }

  @Override
  default int ctxEnablePeerAccess(long peerContext, int flags) {
    return cudart.cuCtxEnablePeerAccess(Handles.ofThread().context(peerContext), flags);
  }

  @Override
  default int ctxDisablePeerAccess(long peerContext) {
    return cudart.cuCtxDisablePeerAccess(Handles.ofThread().context(peerContext));
  }
}
