package org.cuarray.tests.jmh;

import java.nio.ByteBuffer;
import org.cuarray.driver.CudaDriver;

/** Hands calls about memory, pools and copies on to a machine. */
interface ForwardedMemory extends CudaDriver {

  CudaDriver machine();

  @Override
  default int memGetInfo(long[] free, long[] total) {
    return machine().memGetInfo(free, total);
  }

  @Override
  default int memAlloc(long[] pointer, long bytes) {
    return machine().memAlloc(pointer, bytes);
  }

  @Override
  default int memFree(long pointer) {
    return machine().memFree(pointer);
  }

  @Override
  default int memAllocAsync(long[] pointer, long bytes, long stream) {
    return machine().memAllocAsync(pointer, bytes, stream);
  }

  @Override
  default int memAllocFromPoolAsync(long[] pointer, long bytes, long pool, long stream) {
    return machine().memAllocFromPoolAsync(pointer, bytes, pool, stream);
  }

  @Override
  default int memFreeAsync(long pointer, long stream) {
    return machine().memFreeAsync(pointer, stream);
  }

  @Override
  default int memAllocManaged(long[] pointer, long bytes, int flags) {
    return machine().memAllocManaged(pointer, bytes, flags);
  }

  @Override
  default int memHostAlloc(long[] address, long bytes, int flags) {
    return machine().memHostAlloc(address, bytes, flags);
  }

  @Override
  default int memFreeHost(long address) {
    return machine().memFreeHost(address);
  }

  @Override
  default int memGetAddressRange(long[] base, long[] bytes, long pointer) {
    return machine().memGetAddressRange(base, bytes, pointer);
  }

  @Override
  default int pointerGetAttribute(long[] value, int attribute, long pointer) {
    return machine().pointerGetAttribute(value, attribute, pointer);
  }

  @Override
  default int pointerGetAttributes(int count, int[] attributes, long[] values, long pointer) {
    return machine().pointerGetAttributes(count, attributes, values, pointer);
  }

  @Override
  default int memPoolCreate(long[] pool, int device) {
    return machine().memPoolCreate(pool, device);
  }

  @Override
  default int memPoolDestroy(long pool) {
    return machine().memPoolDestroy(pool);
  }

  @Override
  default int memPoolSetAttribute(long pool, int attribute, long value) {
    return machine().memPoolSetAttribute(pool, attribute, value);
  }

  @Override
  default int memPoolGetAttribute(long[] value, long pool, int attribute) {
    return machine().memPoolGetAttribute(value, pool, attribute);
  }

  @Override
  default int memPoolSetAccess(long pool, int device, int flags) {
    return machine().memPoolSetAccess(pool, device, flags);
  }

  @Override
  default int memPoolGetAccess(int[] flags, long pool, int device) {
    return machine().memPoolGetAccess(flags, pool, device);
  }

  @Override
  default int memPoolTrimTo(long pool, long bytesToKeep) {
    return machine().memPoolTrimTo(pool, bytesToKeep);
  }

  @Override
  default int memcpyAsync(long destination, long source, long bytes, long stream) {
    return machine().memcpyAsync(destination, source, bytes, stream);
  }

  @Override
  default int memcpyDtoDAsync(long destination, long source, long bytes, long stream) {
    return machine().memcpyDtoDAsync(destination, source, bytes, stream);
  }

  @Override
  default int memcpyPeerAsync(
      long destination,
      long destinationContext,
      long source,
      long sourceContext,
      long bytes,
      long stream) {
    return machine()
        .memcpyPeerAsync(destination, destinationContext, source, sourceContext, bytes, stream);
  }

  @Override
  default int memcpyDtoHAsync(long hostDestination, long source, long bytes, long stream) {
    return machine().memcpyDtoHAsync(hostDestination, source, bytes, stream);
  }

  @Override
  default int memcpyHtoDAsync(long destination, long hostSource, long bytes, long stream) {
    return machine().memcpyHtoDAsync(destination, hostSource, bytes, stream);
  }

  @Override
  default int memcpyDtoH(long hostDestination, long source, long bytes) {
    return machine().memcpyDtoH(hostDestination, source, bytes);
  }

  @Override
  default int memcpyHtoD(long destination, long hostSource, long bytes) {
    return machine().memcpyHtoD(destination, hostSource, bytes);
  }

  @Override
  default int memsetD8Async(long pointer, byte value, long count, long stream) {
    return machine().memsetD8Async(pointer, value, count, stream);
  }

  @Override
  default int memsetD16Async(long pointer, short value, long count, long stream) {
    return machine().memsetD16Async(pointer, value, count, stream);
  }

  @Override
  default int memsetD32Async(long pointer, int value, long count, long stream) {
    return machine().memsetD32Async(pointer, value, count, stream);
  }

  @Override
  default int hostMalloc(long[] address, long bytes) {
    return machine().hostMalloc(address, bytes);
  }

  @Override
  default void hostFree(long address) {
    machine().hostFree(address);
  }

  @Override
  default ByteBuffer hostBuffer(long address, long bytes) {
    return machine().hostBuffer(address, bytes);
  }
}
