package org.cuarray.driver.simulated;

import static org.cuarray.driver.CudaError.SUCCESS;

import org.cuarray.driver.CudaDriver;

/** The calls about the process, its devices and contexts, each handed to its noun. */
abstract class DeviceCalls implements CudaDriver {
  final Parts parts;
  final Gate gate;

  DeviceCalls(MachineSpec spec) {
    this.parts = new Parts(spec);
    this.gate = parts.machine.gate;
  }

  @Override
  public int init(int flags) {
    int refusal = gate.enterUninitialised("cuInit");
    try {
      return refusal == SUCCESS ? gate.initialise(flags) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int driverGetVersion(int[] version) {
    int refusal = gate.enterUninitialised("cuDriverGetVersion");
    try {
      return refusal == SUCCESS ? parts.devices.driverVersion(version) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int deviceGetCount(int[] count) {
    int refusal = gate.enter("cuDeviceGetCount");
    try {
      return refusal == SUCCESS ? parts.devices.count(count) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int deviceGet(int[] device, int ordinal) {
    int refusal = gate.enter("cuDeviceGet");
    try {
      return refusal == SUCCESS ? parts.devices.get(device, ordinal) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int deviceGetName(byte[] name, int device) {
    int refusal = gate.enter("cuDeviceGetName");
    try {
      return refusal == SUCCESS ? parts.devices.name(name, device) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int deviceGetUuid(byte[] uuid, int device) {
    int refusal = gate.enter("cuDeviceGetUuid");
    try {
      return refusal == SUCCESS ? parts.devices.uuid(uuid, device) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int deviceTotalMem(long[] bytes, int device) {
    int refusal = gate.enter("cuDeviceTotalMem");
    try {
      return refusal == SUCCESS ? parts.devices.totalMemory(bytes, device) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int deviceGetAttribute(int[] value, int attribute, int device) {
    int refusal = gate.enter("cuDeviceGetAttribute");
    try {
      return refusal == SUCCESS ? parts.devices.attribute(value, attribute, device) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int deviceCanAccessPeer(int[] canAccess, int device, int peer) {
    int refusal = gate.enter("cuDeviceCanAccessPeer");
    try {
      return refusal == SUCCESS ? parts.peering.canAccess(canAccess, device, peer) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int deviceGetDefaultMemPool(long[] pool, int device) {
    int refusal = gate.enter("cuDeviceGetDefaultMemPool");
    try {
      return refusal == SUCCESS ? parts.pools.defaultPool(pool, device) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int devicePrimaryCtxRetain(long[] context, int device) {
    int refusal = gate.enter("cuDevicePrimaryCtxRetain");
    try {
      return refusal == SUCCESS ? parts.contexts.retainPrimary(context, device) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int devicePrimaryCtxRelease(int device) {
    int refusal = gate.enter("cuDevicePrimaryCtxRelease");
    try {
      return refusal == SUCCESS ? parts.releasePrimary(device) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int devicePrimaryCtxGetState(int device, int[] flags, int[] active) {
    int refusal = gate.enter("cuDevicePrimaryCtxGetState");
    try {
      return refusal == SUCCESS ? parts.contexts.primaryState(device, flags, active) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int ctxCreate(long[] context, int flags, int device) {
    int refusal = gate.enter("cuCtxCreate");
    try {
      return refusal == SUCCESS ? parts.contexts.create(context, flags, device) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int ctxDestroy(long context) {
    int refusal = gate.enter("cuCtxDestroy");
    try {
      return refusal == SUCCESS ? parts.destroyContext(context) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int ctxGetCurrent(long[] context) {
    int refusal = gate.enter("cuCtxGetCurrent");
    try {
      return refusal == SUCCESS ? parts.contexts.getCurrent(context) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int ctxSetCurrent(long context) {
    int refusal = gate.enter("cuCtxSetCurrent");
    try {
      return refusal == SUCCESS ? parts.contexts.setCurrent(context) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int ctxPushCurrent(long context) {
    int refusal = gate.enter("cuCtxPushCurrent");
    try {
      return refusal == SUCCESS ? parts.contexts.push(context) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int ctxPopCurrent(long[] context) {
    int refusal = gate.enter("cuCtxPopCurrent");
    try {
      return refusal == SUCCESS ? parts.contexts.pop(context) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int ctxGetDevice(int[] device) {
    int refusal = gate.enter("cuCtxGetDevice");
    try {
      return refusal == SUCCESS ? parts.contexts.currentDevice(device) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int ctxGetStreamPriorityRange(int[] least, int[] greatest) {
    int refusal = gate.enter("cuCtxGetStreamPriorityRange");
    try {
      return refusal == SUCCESS ? parts.streams.priorityRange(least, greatest) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int ctxSynchronize() {
    int refusal = gate.enter("cuCtxSynchronize");
    try {
      return refusal == SUCCESS ? parts.synchronizeContext() : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int ctxEnablePeerAccess(long peerContext, int flags) {
    int refusal = gate.enter("cuCtxEnablePeerAccess");
    try {
      return refusal == SUCCESS ? parts.peering.enable(peerContext, flags) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int ctxDisablePeerAccess(long peerContext) {
    int refusal = gate.enter("cuCtxDisablePeerAccess");
    try {
      return refusal == SUCCESS ? parts.peering.disable(peerContext) : refusal;
    } finally {
      gate.leave();
    }
  }
}
