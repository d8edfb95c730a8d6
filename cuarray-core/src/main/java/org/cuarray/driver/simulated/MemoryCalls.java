package org.cuarray.driver.simulated;

import static org.cuarray.driver.CudaError.SUCCESS;

import java.nio.ByteBuffer;

/** The calls about memory: allocation, pointers, pools, and the host's. */
abstract class MemoryCalls extends DeviceCalls {

  MemoryCalls(MachineSpec spec) {
    super(spec);
  }

  @Override
  public int memGetInfo(long[] free, long[] total) {
    int refusal = gate.enter("cuMemGetInfo");
    try {
      return refusal == SUCCESS ? parts.memory.info(free, total) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memAlloc(long[] pointer, long bytes) {
    int refusal = gate.enter("cuMemAlloc");
    try {
      return refusal == SUCCESS ? parts.memory.allocate(pointer, bytes) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memFree(long pointer) {
    int refusal = gate.enter("cuMemFree");
    try {
      return refusal == SUCCESS ? parts.memory.free(pointer) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memAllocAsync(long[] pointer, long bytes, long stream) {
    int refusal = gate.enter("cuMemAllocAsync");
    try {
      return refusal == SUCCESS ? parts.allocateAsync(pointer, bytes, stream) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memAllocFromPoolAsync(long[] pointer, long bytes, long pool, long stream) {
    int refusal = gate.enter("cuMemAllocFromPoolAsync");
    try {
      return refusal == SUCCESS
          ? parts.allocateFromPoolAsync(pointer, bytes, pool, stream)
          : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memFreeAsync(long pointer, long stream) {
    int refusal = gate.enter("cuMemFreeAsync");
    try {
      return refusal == SUCCESS ? parts.memory.freeAsync(pointer, stream) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memAllocManaged(long[] pointer, long bytes, int flags) {
    int refusal = gate.enter("cuMemAllocManaged");
    try {
      return refusal == SUCCESS ? parts.memory.allocateManaged(pointer, bytes, flags) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memHostAlloc(long[] address, long bytes, int flags) {
    int refusal = gate.enter("cuMemHostAlloc");
    try {
      return refusal == SUCCESS ? parts.host.allocatePinned(address, bytes, flags) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memFreeHost(long address) {
    int refusal = gate.enter("cuMemFreeHost");
    try {
      return refusal == SUCCESS ? parts.host.freePinned(address) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memGetAddressRange(long[] base, long[] bytes, long pointer) {
    int refusal = gate.enter("cuMemGetAddressRange");
    try {
      return refusal == SUCCESS ? parts.memory.range(base, bytes, pointer) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int pointerGetAttribute(long[] value, int attribute, long pointer) {
    int refusal = gate.enter("cuPointerGetAttribute");
    try {
      return refusal == SUCCESS ? parts.pointers.attribute(value, attribute, pointer) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int pointerGetAttributes(int count, int[] attributes, long[] values, long pointer) {
    int refusal = gate.enter("cuPointerGetAttributes");
    try {
      return refusal == SUCCESS
          ? parts.pointers.attributes(count, attributes, values, pointer)
          : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memPoolCreate(long[] pool, int device) {
    int refusal = gate.enter("cuMemPoolCreate");
    try {
      return refusal == SUCCESS ? parts.pools.create(pool, device) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memPoolDestroy(long pool) {
    int refusal = gate.enter("cuMemPoolDestroy");
    try {
      return refusal == SUCCESS ? parts.pools.destroy(pool) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memPoolSetAttribute(long pool, int attribute, long value) {
    int refusal = gate.enter("cuMemPoolSetAttribute");
    try {
      return refusal == SUCCESS ? parts.pools.setAttribute(pool, attribute, value) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memPoolGetAttribute(long[] value, long pool, int attribute) {
    int refusal = gate.enter("cuMemPoolGetAttribute");
    try {
      return refusal == SUCCESS ? parts.pools.getAttribute(value, pool, attribute) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memPoolSetAccess(long pool, int device, int flags) {
    int refusal = gate.enter("cuMemPoolSetAccess");
    try {
      return refusal == SUCCESS ? parts.pools.setAccess(pool, device, flags) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memPoolGetAccess(int[] flags, long pool, int device) {
    int refusal = gate.enter("cuMemPoolGetAccess");
    try {
      return refusal == SUCCESS ? parts.pools.getAccess(flags, pool, device) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int memPoolTrimTo(long pool, long bytesToKeep) {
    int refusal = gate.enter("cuMemPoolTrimTo");
    try {
      return refusal == SUCCESS ? parts.pools.trim(pool, bytesToKeep) : refusal;
    } finally {
      gate.leave();
    }
  }

  @Override
  public int hostMalloc(long[] address, long bytes) {
    gate.enterAside("malloc");
    try {
      return parts.host.allocatePageable(address, bytes);
    } finally {
      gate.leave();
    }
  }

  @Override
  public void hostFree(long address) {
    gate.enterAside("free");
    try {
      parts.host.freePageable(address);
    } finally {
      gate.leave();
    }
  }

  @Override
  public ByteBuffer hostBuffer(long address, long bytes) {
    gate.enterAside("hostBuffer");
    try {
      return parts.host.buffer(address, bytes);
    } finally {
      gate.leave();
    }
  }
}
