package org.cuarray.driver.javacpp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.bytedeco.cuda.cudart.CUfunc_st;
import org.bytedeco.cuda.cudart.CUmod_st;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.KernelCompiler;

/** Modules, their functions, and launches. */
interface KernelCalls extends CudaDriver {

  @Override
  default KernelCompiler compiler() {
    return NvrtcCompiler.INSTANCE;
  }

  @Override
  default int moduleLoadDataEx(long[] module, byte[] image, byte[] errorLog) {
    // Two option values, two options, the log, the image with the NUL that ends PTX.
    long log = 2 * Long.BYTES + 2 * Integer.BYTES;
    long code = log + errorLog.length;
    long[] memory = new long[1];
    int status = hostMalloc(memory, code + image.length + 1);
    if (status != CudaError.SUCCESS) {
      return status;
    }
    long base = memory[0];
    try {
      ByteBuffer head = hostBuffer(base, code);
      head.putLong(0, base + log);
      head.putLong(Long.BYTES, errorLog.length);
      head.putInt(2 * Long.BYTES, cudart.CU_JIT_ERROR_LOG_BUFFER);
      head.putInt(2 * Long.BYTES + Integer.BYTES, cudart.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
      hostBuffer(base + code, image.length).put(image);
      hostBuffer(base + code + image.length, 1).put((byte) 0);
      int options = 0;
      if (errorLog.length > 0) {
        options = 2;
        head.put((int) log, (byte) 0);
      }
      Handles handles = Handles.ofThread();
      CUmod_st result = handles.module(0);
      status =
          cudart.cuModuleLoadDataEx(
              result,
              new Pointer(handles.host(base + code)),
              options,
              new IntPointer(handles.host(base + 2 * Long.BYTES)),
              new PointerPointer<Pointer>(handles.host(base)));
      if (status == CudaError.SUCCESS) {
        module[0] = result.address();
      } else {
        copyText(head, (int) log, errorLog);
      }
      return status;
    } finally {
      hostFree(base);
    }
  }

  /** Past the NUL there is what {@code malloc} found. */
  private static void copyText(ByteBuffer from, int start, byte[] into) {
    int length = 0;
    while (length < into.length && from.get(start + length) != 0) {
      length++;
    }
    from.get(start, into, 0, length);
    if (length < into.length) {
      into[length] = 0;
    }
  }

  @Override
  default int moduleUnload(long module) {
    return cudart.cuModuleUnload(Handles.ofThread().module(module));
  }

  @Override
  default int moduleGetFunction(long[] function, long module, String name) {
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    long[] memory = new long[1];
    int status = hostMalloc(memory, text.length + 1L);
    if (status != CudaError.SUCCESS) {
      return status;
    }
    try {
      hostBuffer(memory[0], text.length + 1L).put(text).put((byte) 0);
      Handles handles = Handles.ofThread();
      CUfunc_st result = handles.function(0);
      status =
          cudart.cuModuleGetFunction(
              result, handles.module(module), new BytePointer(handles.host(memory[0])));
      if (status == CudaError.SUCCESS) {
        function[0] = result.address();
      }
      return status;
    } finally {
      hostFree(memory[0]);
    }
  }

  @Override
  default int funcLoad(long function) {
    return cudart.cuFuncLoad(Handles.ofThread().function(function));
  }

  @Override
  default int funcGetAttribute(int[] value, int attribute, long function) {
    Handles handles = Handles.ofThread();
    ResultMemory results = handles.results();
    int status = cudart.cuFuncGetAttribute(results.anInt, attribute, handles.function(function));
    if (status == CudaError.SUCCESS) {
      value[0] = results.intAt(0);
    }
    return status;
  }

  @Override
  default int funcSetAttribute(long function, int attribute, int value) {
    return cudart.cuFuncSetAttribute(Handles.ofThread().function(function), attribute, value);
  }

  @Override
  default int funcGetParamInfo(long function, long index, long[] offset, long[] bytes) {
    Handles handles = Handles.ofThread();
    ResultMemory results = handles.results();
    int status =
        cudart.cuFuncGetParamInfo(
            handles.function(function), index, results.aSize, results.otherSize);
    if (status == CudaError.SUCCESS) {
      offset[0] = results.longAt(0);
      bytes[0] = results.longAt(1);
    }
    return status;
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
    Handles handles = Handles.ofThread();
    return cudart.cuLaunchKernel(
        handles.function(function),
        gridX,
        gridY,
        gridZ,
        blockX,
        blockY,
        blockZ,
        sharedBytes,
        handles.stream(stream),
        null,
        handles.parameters().holding(parameters, parameterBytes));
  }
}
