package org.cuarray.driver.javacpp;

import org.bytedeco.cuda.global.cudart;
import org.cuarray.driver.CudaDriver;

/** Copies and fills. */
interface CopyCalls extends CudaDriver {

  @Override
  default int memcpyAsync(long destination, long source, long bytes, long stream) {
    return cudart.cuMemcpyAsync(destination, source, bytes, Handles.ofThread().stream(stream));
  }

  @Override
  default int memcpyDtoDAsync(long destination, long source, long bytes, long stream) {
    return cudart.cuMemcpyDtoDAsync(destination, source, bytes, Handles.ofThread().stream(stream));
  }

  @Override
  default int memcpyPeerAsync(
      long destination,
      long destinationContext,
      long source,
      long sourceContext,
      long bytes,
      long stream) {
    Handles handles = Handles.ofThread();
    return cudart.cuMemcpyPeerAsync(
        destination,
        handles.context(destinationContext),
        source,
        handles.otherContext(sourceContext),
        bytes,
        handles.stream(stream));
  }

  @Override
  default int memcpyDtoHAsync(long hostDestination, long source, long bytes, long stream) {
    Handles handles = Handles.ofThread();
    return cudart.cuMemcpyDtoHAsync(
        handles.host(hostDestination), source, bytes, handles.stream(stream));
  }

  @Override
  default int memcpyHtoDAsync(long destination, long hostSource, long bytes, long stream) {
    Handles handles = Handles.ofThread();
    return cudart.cuMemcpyHtoDAsync(
        destination, handles.host(hostSource), bytes, handles.stream(stream));
  }

  @Override
  default int memcpyDtoH(long hostDestination, long source, long bytes) {
    return cudart.cuMemcpyDtoH(Handles.ofThread().host(hostDestination), source, bytes);
  }

  @Override
  default int memcpyHtoD(long destination, long hostSource, long bytes) {
    return cudart.cuMemcpyHtoD(destination, Handles.ofThread().host(hostSource), bytes);
  }

  @Override
  default int memsetD8Async(long pointer, byte value, long count, long stream) {
    return cudart.cuMemsetD8Async(pointer, value, count, Handles.ofThread().stream(stream));
  }

  @Override
  default int memsetD16Async(long pointer, short value, long count, long stream) {
    return cudart.cuMemsetD16Async(pointer, value, count, Handles.ofThread().stream(stream));
  }

  @Override
  default int memsetD32Async(long pointer, int value, long count, long stream) {
    return cudart.cuMemsetD32Async(pointer, value, count, Handles.ofThread().stream(stream));
  }
}
