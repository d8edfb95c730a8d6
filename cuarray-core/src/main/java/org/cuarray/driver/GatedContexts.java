package org.cuarray.driver;

/** Devices and contexts of a {@link GatedDriver}, and what all its calls pass through. */
abstract class GatedContexts implements CudaDriver {
  final CudaDriver driver;
  final ShutdownGate gate;

  GatedContexts(CudaDriver driver, ShutdownGate gate) {
    this.driver = driver;
    this.gate = gate;
  }

  @Override
  public int init(int flags) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.init(flags);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int driverGetVersion(int[] version) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.driverGetVersion(version);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int deviceGetCount(int[] count) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.deviceGetCount(count);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int deviceGet(int[] device, int ordinal) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.deviceGet(device, ordinal);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int deviceGetName(byte[] name, int device) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.deviceGetName(name, device);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int deviceGetUuid(byte[] uuid, int device) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.deviceGetUuid(uuid, device);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int deviceTotalMem(long[] bytes, int device) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.deviceTotalMem(bytes, device);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int deviceGetAttribute(int[] value, int attribute, int device) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.deviceGetAttribute(value, attribute, device);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int deviceCanAccessPeer(int[] canAccess, int device, int peer) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.deviceCanAccessPeer(canAccess, device, peer);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int deviceGetDefaultMemPool(long[] pool, int device) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.deviceGetDefaultMemPool(pool, device);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int devicePrimaryCtxRetain(long[] context, int device) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.devicePrimaryCtxRetain(context, device);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int devicePrimaryCtxRelease(int device) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.devicePrimaryCtxRelease(device);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int devicePrimaryCtxGetState(int device, int[] flags, int[] active) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.devicePrimaryCtxGetState(device, flags, active);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int ctxCreate(long[] context, int flags, int device) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.ctxCreate(context, flags, device);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int ctxDestroy(long context) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.ctxDestroy(context);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int ctxGetCurrent(long[] context) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.ctxGetCurrent(context);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int ctxSetCurrent(long context) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.ctxSetCurrent(context);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int ctxPushCurrent(long context) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.ctxPushCurrent(context);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int ctxPopCurrent(long[] context) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.ctxPopCurrent(context);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int ctxGetDevice(int[] device) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.ctxGetDevice(device);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int ctxGetStreamPriorityRange(int[] least, int[] greatest) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.ctxGetStreamPriorityRange(least, greatest);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int ctxSynchronize() {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.ctxSynchronize();
    } finally {
      gate.leave();
    }
  }

  @Override
  public int ctxEnablePeerAccess(long peerContext, int flags) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.ctxEnablePeerAccess(peerContext, flags);
    } finally {
      gate.leave();
    }
  }

  @Override
  public int ctxDisablePeerAccess(long peerContext) {
    if (!gate.enter()) {
      return CudaError.DEINITIALIZED;
    }
    try {
      return driver.ctxDisablePeerAccess(peerContext);
    } finally {
      gate.leave();
    }
  }
}
