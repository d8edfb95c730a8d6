package org.cuarray.driver.javacpp;

import org.bytedeco.cuda.cudart.CUctx_st;
import org.bytedeco.cuda.cudart.CUevent_st;
import org.bytedeco.cuda.cudart.CUstream_st;
import org.bytedeco.cuda.global.cudart;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;

/** Streams and events. */
interface StreamCalls extends CudaDriver {

  @Override
  default int streamCreateWithPriority(long[] stream, int flags, int priority) {
    CUstream_st result = Handles.ofThread().stream(0);
    int status = cudart.cuStreamCreateWithPriority(result, flags, priority);
    if (status == CudaError.SUCCESS) {
      stream[0] = result.address();
    }
    return status;
  }

  @Override
  default int streamDestroy(long stream) {
    return cudart.cuStreamDestroy(Handles.ofThread().stream(stream));
  }

  @Override
  default int streamSynchronize(long stream) {
    return cudart.cuStreamSynchronize(Handles.ofThread().stream(stream));
  }

  @Override
  default int streamQuery(long stream) {
    return cudart.cuStreamQuery(Handles.ofThread().stream(stream));
  }

  @Override
  default int streamWaitEvent(long stream, long event, int flags) {
    Handles handles = Handles.ofThread();
    return cudart.cuStreamWaitEvent(handles.stream(stream), handles.event(event), flags);
  }

  @Override
  default int streamGetCtx(long stream, long[] context) {
    Handles handles = Handles.ofThread();
    CUctx_st result = handles.context(0);
    int status = cudart.cuStreamGetCtx(handles.stream(stream), result);
    if (status == CudaError.SUCCESS) {
      context[0] = result.address();
    }
    return status;
  }

  @Override
  default int streamGetPriority(long stream, int[] priority) {
    Handles handles = Handles.ofThread();
    ResultMemory results = handles.results();
    int status = cudart.cuStreamGetPriority(handles.stream(stream), results.anInt);
    if (status == CudaError.SUCCESS) {
      priority[0] = results.intAt(0);
    }
    return status;
  }

  @Override
  default int streamIsCapturing(long stream, int[] status) {
    Handles handles = Handles.ofThread();
    ResultMemory results = handles.results();
    int result = cudart.cuStreamIsCapturing(handles.stream(stream), results.anInt);
    if (result == CudaError.SUCCESS) {
      status[0] = results.intAt(0);
    }
    return result;
  }

  @Override
  default int eventCreate(long[] event, int flags) {
    CUevent_st result = Handles.ofThread().event(0);
    int status = cudart.cuEventCreate(result, flags);
    if (status == CudaError.SUCCESS) {
      event[0] = result.address();
    }
    return status;
  }

  @Override
  default int eventRecord(long event, long stream) {
    Handles handles = Handles.ofThread();
    return cudart.cuEventRecord(handles.event(event), handles.stream(stream));
  }

  @Override
  default int eventQuery(long event) {
    return cudart.cuEventQuery(Handles.ofThread().event(event));
  }

  @Override
  default int eventSynchronize(long event) {
    return cudart.cuEventSynchronize(Handles.ofThread().event(event));
  }

  @Override
  default int eventElapsedTime(float[] milliseconds, long start, long end) {
    Handles handles = Handles.ofThread();
    ResultMemory results = handles.results();
    int status =
        cudart.cuEventElapsedTime(results.aFloat, handles.event(start), handles.otherEvent(end));
    if (status == CudaError.SUCCESS) {
      milliseconds[0] = results.floatAt(0);
    }
    return status;
  }

  @Override
  default int eventDestroy(long event) {
    return cudart.cuEventDestroy(Handles.ofThread().event(event));
  }
}
