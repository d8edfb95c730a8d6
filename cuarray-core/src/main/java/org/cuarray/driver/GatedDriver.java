package org.cuarray.driver;

import java.nio.ByteBuffer;

/**
 * A {@link CudaDriver} whose calls pass a {@link ShutdownGate}: once it is closed, each gives
 * {@code CUDA_ERROR_DEINITIALIZED}, as the driver itself does at the end of a process, without the
 * driver being entered. What is no driver call (host memory, descriptions, the compiler) passes
 * always.
 *
 * <p>Written out call by call: {@link InterceptedDriver} boxes every argument, and this one stands
 * in front of every copy, which may leave no garbage.
 *
 * <p>It shares the {@link ProcessState} of the driver that it wraps. As thread-safe as that one.
 */
public final class GatedDriver extends GatedMemory {
  private GatedDriver(CudaDriver driver, ShutdownGate gate) {
    super(driver, gate);
  }

  /**
   * Wraps a driver.
   *
   * @param driver does the work
   * @param gate what its calls pass
   * @return a driver that ends with the gate
   */
  public static CudaDriver around(CudaDriver driver, ShutdownGate gate) {
    return new GatedDriver(driver, gate);
  }

  @Override
  public ProcessState process() {
    return driver.process();
  }

  @Override
  public String description() {
    return driver.description();
  }

  @Override
  public KernelCompiler compiler() {
    return driver.compiler();
  }

  @Override
  public boolean keepsTime() {
    return driver.keepsTime();
  }

  @Override
  public int streamCreateWithPriority(long[] stream, int flags, int priority) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.streamCreateWithPriority(stream, flags, priority);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int streamDestroy(long stream) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.streamDestroy(stream);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int streamSynchronize(long stream) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.streamSynchronize(stream);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int streamQuery(long stream) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.streamQuery(stream);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int streamWaitEvent(long stream, long event, int flags) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.streamWaitEvent(stream, event, flags);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int streamGetCtx(long stream, long[] context) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.streamGetCtx(stream, context);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int streamGetPriority(long stream, int[] priority) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.streamGetPriority(stream, priority);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int streamIsCapturing(long stream, int[] status) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.streamIsCapturing(stream, status);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int eventCreate(long[] event, int flags) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.eventCreate(event, flags);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int eventRecord(long event, long stream) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.eventRecord(event, stream);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int eventQuery(long event) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.eventQuery(event);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int eventSynchronize(long event) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.eventSynchronize(event);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int eventElapsedTime(float[] milliseconds, long start, long end) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.eventElapsedTime(milliseconds, start, end);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int eventDestroy(long event) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.eventDestroy(event);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int moduleLoadDataEx(long[] module, byte[] image, byte[] errorLog) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.moduleLoadDataEx(module, image, errorLog);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int moduleUnload(long module) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.moduleUnload(module);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int moduleGetFunction(long[] function, long module, String name) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.moduleGetFunction(function, module, name);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int funcLoad(long function) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.funcLoad(function);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int funcGetAttribute(int[] value, int attribute, long function) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.funcGetAttribute(value, attribute, function);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int funcSetAttribute(long function, int attribute, int value) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.funcSetAttribute(function, attribute, value);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int funcGetParamInfo(long function, long index, long[] offset, long[] bytes) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.funcGetParamInfo(function, index, offset, bytes);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int launchKernel(
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
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.launchKernel(
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
    } finally {
      gate.leave();
    }
  }

  @Override
  public int hostMalloc(long[] address, long bytes) {
    return driver.hostMalloc(address, bytes);
  }

  @Override
  public void hostFree(long address) {
    driver.hostFree(address);
  }

  @Override
  public ByteBuffer hostBuffer(long address, long bytes) {
    return driver.hostBuffer(address, bytes);
  }

  @Override
  public String toString() {
    return driver.toString();
  }
}
