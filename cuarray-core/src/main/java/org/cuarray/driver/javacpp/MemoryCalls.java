package org.cuarray.driver.javacpp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.javacpp.Pointer;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.PointerAttribute;

/** Device memory, host memory, and what the driver knows about a pointer. */
interface MemoryCalls extends CudaDriver {

  @Override
  default int memGetInfo(long[] free, long[] total) {
    ResultMemory results = Handles.ofThread().results();
    int status = cudart.cuMemGetInfo(results.aSize, results.otherSize);
    if (status == CudaError.SUCCESS) {
      free[0] = results.longAt(0);
      total[0] = results.longAt(1);
    }
    return status;
  }

  @Override
  default int memAlloc(long[] pointer, long bytes) {
    ResultMemory results = Handles.ofThread().results();
    int status = cudart.cuMemAlloc(results.aLong, bytes);
    if (status == CudaError.SUCCESS) {
      pointer[0] = results.longAt(0);
    }
    return status;
  }

  @Override
  default int memFree(long pointer) {
    return cudart.cuMemFree(pointer);
  }

  @Override
  default int memAllocAsync(long[] pointer, long bytes, long stream) {
    Handles handles = Handles.ofThread();
    ResultMemory results = handles.results();
    int status = cudart.cuMemAllocAsync(results.aLong, bytes, handles.stream(stream));
    if (status == CudaError.SUCCESS) {
      pointer[0] = results.longAt(0);
    }
    return status;
  }

  @Override
  default int memAllocFromPoolAsync(long[] pointer, long bytes, long pool, long stream) {
    Handles handles = Handles.ofThread();
    ResultMemory results = handles.results();
    int status =
        cudart.cuMemAllocFromPoolAsync(
            results.aLong, bytes, handles.pool(pool), handles.stream(stream));
    if (status == CudaError.SUCCESS) {
      pointer[0] = results.longAt(0);
    }
    return status;
  }

  @Override
  default int memFreeAsync(long pointer, long stream) {
    return cudart.cuMemFreeAsync(pointer, Handles.ofThread().stream(stream));
  }

  @Override
  default int memAllocManaged(long[] pointer, long bytes, int flags) {
    ResultMemory results = Handles.ofThread().results();
    int status = cudart.cuMemAllocManaged(results.aLong, bytes, flags);
    if (status == CudaError.SUCCESS) {
      pointer[0] = results.longAt(0);
    }
    return status;
  }

  @Override
  default int memHostAlloc(long[] address, long bytes, int flags) {
    Pointer result = Handles.ofThread().host(0);
    int status = cudart.cuMemHostAlloc(result, bytes, flags);
    if (status == CudaError.SUCCESS) {
      address[0] = result.address();
    }
    return status;
  }

  @Override
  default int memFreeHost(long address) {
    return cudart.cuMemFreeHost(Handles.ofThread().host(address));
  }

  @Override
  default int memGetAddressRange(long[] base, long[] bytes, long pointer) {
    ResultMemory results = Handles.ofThread().results();
    int status = cudart.cuMemGetAddressRange(results.aLong, results.otherSize, pointer);
    if (status == CudaError.SUCCESS) {
      base[0] = results.longAt(0);
      bytes[0] = results.longAt(1);
    }
    return status;
  }

  @Override
  default int pointerGetAttribute(long[] value, int attribute, long pointer) {
    ResultMemory results = Handles.ofThread().results();
    results.setLong(0, 0);
    int status = cudart.cuPointerGetAttribute(results.any, attribute, pointer);
    if (status == CudaError.SUCCESS) {
      value[0] = widened(results, 0, attribute);
    }
    return status;
  }

  @Override
  default int pointerGetAttributes(int count, int[] attributes, long[] values, long pointer) {
    if (count > ResultMemory.SLOTS) {
      throw new IllegalArgumentException(
          count + " attributes asked for in one call of at most " + ResultMemory.SLOTS);
    }
    ResultMemory results = Handles.ofThread().results();
    for (int i = 0; i < count; i++) {
      results.select(i, attributes[i]);
      results.setLong(i, 0);
    }
    int status =
        cudart.cuPointerGetAttributes(count, results.selectors, results.slotAddresses, pointer);
    if (status == CudaError.SUCCESS) {
      for (int i = 0; i < count; i++) {
        values[i] = widened(results, i, attributes[i]);
      }
    }
    return status;
  }

  /**
   * The driver writes one to eight bytes, by attribute, into a slot that was zero; every CUDA
   * platform is little-endian. Only the ordinal can be negative ({@code CU_DEVICE_INVALID}).
   */
  private static long widened(ResultMemory results, int slot, int attribute) {
    return attribute == PointerAttribute.DEVICE_ORDINAL
        ? results.intAt(slot)
        : results.longAt(slot);
  }

  @Override
  default int hostMalloc(long[] address, long bytes) {
    // malloc(0) may give NULL, which says nothing about how much memory there is. A negative count
    // is a size_t that no machine has.
    Pointer allocated = Pointer.malloc(bytes == 0 ? 1 : bytes);
    if (allocated == null) {
      return CudaError.OUT_OF_MEMORY;
    }
    address[0] = allocated.address();
    return CudaError.SUCCESS;
  }

  @Override
  default void hostFree(long address) {
    Pointer.free(Handles.ofThread().host(address));
  }

  @Override
  default ByteBuffer hostBuffer(long address, long bytes) {
    if (bytes < 0 || bytes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          bytes + " bytes do not fit into a buffer of at most " + Integer.MAX_VALUE);
    }
    // To JavaCPP a limit of 0 means that it is not known.
    return bytes == 0
        ? ByteBuffer.allocateDirect(0).order(ByteOrder.nativeOrder())
        : new Pointer(Handles.ofThread().host(address)).capacity(bytes).asByteBuffer();
  }
}
