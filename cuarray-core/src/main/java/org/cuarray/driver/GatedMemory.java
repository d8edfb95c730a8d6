package org.cuarray.driver;

/** Memory, pools and copies of a {@link GatedDriver}. */
abstract class GatedMemory extends GatedContexts {
  GatedMemory(CudaDriver driver, ShutdownGate gate) {
    super(driver, gate);
  }

  @Override
  public int memGetInfo(long[] free, long[] total) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.memGetInfo(free, total);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memAlloc(long[] pointer, long bytes) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.memAlloc(pointer, bytes);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memFree(long pointer) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.memFree(pointer);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memAllocAsync(long[] pointer, long bytes, long stream) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.memAllocAsync(pointer, bytes, stream);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memAllocFromPoolAsync(long[] pointer, long bytes, long pool, long stream) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.memAllocFromPoolAsync(pointer, bytes, pool, stream);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memFreeAsync(long pointer, long stream) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.memFreeAsync(pointer, stream);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memAllocManaged(long[] pointer, long bytes, int flags) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.memAllocManaged(pointer, bytes, flags);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memHostAlloc(long[] address, long bytes, int flags) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.memHostAlloc(address, bytes, flags);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memFreeHost(long address) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.memFreeHost(address);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memGetAddressRange(long[] base, long[] bytes, long pointer) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.memGetAddressRange(base, bytes, pointer);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int pointerGetAttribute(long[] value, int attribute, long pointer) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.pointerGetAttribute(value, attribute, pointer);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int pointerGetAttributes(int count, int[] attributes, long[] values, long pointer) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.pointerGetAttributes(count, attributes, values, pointer);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memPoolCreate(long[] pool, int device) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.memPoolCreate(pool, device);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memPoolDestroy(long pool) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.memPoolDestroy(pool);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memPoolSetAttribute(long pool, int attribute, long value) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.memPoolSetAttribute(pool, attribute, value);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memPoolGetAttribute(long[] value, long pool, int attribute) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.memPoolGetAttribute(value, pool, attribute);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memPoolSetAccess(long pool, int device, int flags) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.memPoolSetAccess(pool, device, flags);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memPoolGetAccess(int[] flags, long pool, int device) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.memPoolGetAccess(flags, pool, device);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memPoolTrimTo(long pool, long bytesToKeep) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.memPoolTrimTo(pool, bytesToKeep);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memcpyAsync(long destination, long source, long bytes, long stream) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.memcpyAsync(destination, source, bytes, stream);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memcpyDtoDAsync(long destination, long source, long bytes, long stream) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.memcpyDtoDAsync(destination, source, bytes, stream);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memcpyPeerAsync(
      long destination,
      long destinationContext,
      long source,
      long sourceContext,
      long bytes,
      long stream) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.memcpyPeerAsync(
          destination, destinationContext, source, sourceContext, bytes, stream);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memcpyDtoHAsync(long hostDestination, long source, long bytes, long stream) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.memcpyDtoHAsync(hostDestination, source, bytes, stream);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memcpyHtoDAsync(long destination, long hostSource, long bytes, long stream) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.memcpyHtoDAsync(destination, hostSource, bytes, stream);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memcpyDtoH(long hostDestination, long source, long bytes) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.memcpyDtoH(hostDestination, source, bytes);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memcpyHtoD(long destination, long hostSource, long bytes) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.memcpyHtoD(destination, hostSource, bytes);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memsetD8Async(long pointer, byte value, long count, long stream) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.memsetD8Async(pointer, value, count, stream);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memsetD16Async(long pointer, short value, long count, long stream) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.memsetD16Async(pointer, value, count, stream);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memsetD32Async(long pointer, int value, long count, long stream) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.memsetD32Async(pointer, value, count, stream);
    } finally {
      gate.leave();
    }
  }
}
