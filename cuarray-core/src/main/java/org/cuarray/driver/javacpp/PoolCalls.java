package org.cuarray.driver.javacpp;

import org.bytedeco.cuda.cudart.CUmemAccessDesc_v1;
import org.bytedeco.cuda.cudart.CUmemLocation_v1;
import org.bytedeco.cuda.cudart.CUmemPoolHandle_st;
import org.bytedeco.cuda.cudart.CUmemPoolProps_v1;
import org.bytedeco.cuda.global.cudart;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;

/** Memory pools and who may reach into them. */
interface PoolCalls extends CudaDriver {

  @Override
  default int memPoolCreate(long[] pool, int device) {
    Handles handles = Handles.ofThread();
    CUmemPoolProps_v1 properties = new CUmemPoolProps_v1(handles.results().structure());
    properties.allocType(cudart.CU_MEM_ALLOCATION_TYPE_PINNED);
    aim(properties.location(), device);
    CUmemPoolHandle_st result = handles.pool(0);
    int status = cudart.cuMemPoolCreate(result, properties);
    if (status == CudaError.SUCCESS) {
      pool[0] = result.address();
    }
    return status;
  }

  @Override
  default int memPoolDestroy(long pool) {
    return cudart.cuMemPoolDestroy(Handles.ofThread().pool(pool));
  }

  @Override
  default int memPoolSetAttribute(long pool, int attribute, long value) {
    Handles handles = Handles.ofThread();
    ResultMemory results = handles.results();
    // Some attributes are ints to the driver, some longs; a little-endian long is both.
    results.setLong(0, value);
    return cudart.cuMemPoolSetAttribute(handles.pool(pool), attribute, results.any);
  }

  @Override
  default int memPoolGetAttribute(long[] value, long pool, int attribute) {
    Handles handles = Handles.ofThread();
    ResultMemory results = handles.results();
    results.setLong(0, 0);
    int status = cudart.cuMemPoolGetAttribute(handles.pool(pool), attribute, results.any);
    if (status == CudaError.SUCCESS) {
      value[0] = results.longAt(0);
    }
    return status;
  }

  @Override
  default int memPoolSetAccess(long pool, int device, int flags) {
    Handles handles = Handles.ofThread();
    CUmemAccessDesc_v1 access = new CUmemAccessDesc_v1(handles.results().structure());
    aim(access.location(), device);
    access.flags(flags);
    return cudart.cuMemPoolSetAccess(handles.pool(pool), access, 1);
  }

  @Override
  default int memPoolGetAccess(int[] flags, long pool, int device) {
    Handles handles = Handles.ofThread();
    ResultMemory results = handles.results();
    CUmemLocation_v1 location = new CUmemLocation_v1(results.structure());
    aim(location, device);
    int status = cudart.cuMemPoolGetAccess(results.anInt, handles.pool(pool), location);
    if (status == CudaError.SUCCESS) {
      flags[0] = results.intAt(0);
    }
    return status;
  }

  @Override
  default int memPoolTrimTo(long pool, long bytesToKeep) {
    return cudart.cuMemPoolTrimTo(Handles.ofThread().pool(pool), bytesToKeep);
  }

  private static void aim(CUmemLocation_v1 location, int device) {
    location.type(cudart.CU_MEM_LOCATION_TYPE_DEVICE);
    location.id(device);
  }
}
