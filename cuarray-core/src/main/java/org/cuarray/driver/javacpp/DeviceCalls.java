package org.cuarray.driver.javacpp;

import org.bytedeco.cuda.cudart.CUctx_st;
import org.bytedeco.cuda.cudart.CUmemPoolHandle_st;
import org.bytedeco.cuda.cudart.CUuuid;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.javacpp.BytePointer;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;

/** The driver itself, its devices and their primary contexts. */
interface DeviceCalls extends CudaDriver {

  @Override
  default int init(int flags) {
    return cudart.cuInit(flags);
  }

  @Override
  default int driverGetVersion(int[] version) {
    ResultMemory results = Handles.ofThread().results();
    int status = cudart.cuDriverGetVersion(results.anInt);
    if (status == CudaError.SUCCESS) {
      version[0] = results.intAt(0);
    }
    return status;
  }

  @Override
  default int deviceGetCount(int[] count) {
    ResultMemory results = Handles.ofThread().results();
    int status = cudart.cuDeviceGetCount(results.anInt);
    if (status == CudaError.SUCCESS) {
      count[0] = results.intAt(0);
    }
    return status;
  }

  @Override
  default int deviceGet(int[] device, int ordinal) {
    ResultMemory results = Handles.ofThread().results();
    int status = cudart.cuDeviceGet(results.anInt, ordinal);
    if (status == CudaError.SUCCESS) {
      device[0] = results.intAt(0);
    }
    return status;
  }

  @Override
  default int deviceGetName(byte[] name, int device) {
    ResultMemory results = Handles.ofThread().results();
    BytePointer text = new BytePointer(results.structure());
    int status =
        cudart.cuDeviceGetName(text, Math.min(name.length, ResultMemory.STRUCTURE_BYTES), device);
    if (status == CudaError.SUCCESS) {
      results.structureInto(name);
    }
    return status;
  }

  @Override
  default int deviceGetUuid(byte[] uuid, int device) {
    ResultMemory results = Handles.ofThread().results();
    int status = cudart.cuDeviceGetUuid(new CUuuid(results.structure()), device);
    if (status == CudaError.SUCCESS) {
      results.structureInto(uuid);
    }
    return status;
  }

  @Override
  default int deviceTotalMem(long[] bytes, int device) {
    ResultMemory results = Handles.ofThread().results();
    int status = cudart.cuDeviceTotalMem(results.aSize, device);
    if (status == CudaError.SUCCESS) {
      bytes[0] = results.longAt(0);
    }
    return status;
  }

  @Override
  default int deviceGetAttribute(int[] value, int attribute, int device) {
    ResultMemory results = Handles.ofThread().results();
    int status = cudart.cuDeviceGetAttribute(results.anInt, attribute, device);
    if (status == CudaError.SUCCESS) {
      value[0] = results.intAt(0);
    }
    return status;
  }

  @Override
  default int deviceCanAccessPeer(int[] canAccess, int device, int peer) {
    ResultMemory results = Handles.ofThread().results();
    int status = cudart.cuDeviceCanAccessPeer(results.anInt, device, peer);
    if (status == CudaError.SUCCESS) {
      canAccess[0] = results.intAt(0);
    }
    return status;
  }

  @Override
  default int deviceGetDefaultMemPool(long[] pool, int device) {
    CUmemPoolHandle_st result = Handles.ofThread().pool(0);
    int status = cudart.cuDeviceGetDefaultMemPool(result, device);
    if (status == CudaError.SUCCESS) {
      pool[0] = result.address();
    }
    return status;
  }

  @Override
  default int devicePrimaryCtxRetain(long[] context, int device) {
    CUctx_st result = Handles.ofThread().context(0);
    int status = cudart.cuDevicePrimaryCtxRetain(result, device);
    if (status == CudaError.SUCCESS) {
      context[0] = result.address();
    }
    return status;
  }

  @Override
  default int devicePrimaryCtxRelease(int device) {
    return cudart.cuDevicePrimaryCtxRelease(device);
  }

  @Override
  default int devicePrimaryCtxGetState(int device, int[] flags, int[] active) {
    ResultMemory results = Handles.ofThread().results();
    int status = cudart.cuDevicePrimaryCtxGetState(device, results.anInt, results.otherInt);
    if (status == CudaError.SUCCESS) {
      flags[0] = results.intAt(0);
      active[0] = results.intAt(1);
    }
    return status;
  }
}
