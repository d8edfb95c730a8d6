package org.cuarray.memory;

import org.cuarray.CuOutOfMemoryException;
import org.cuarray.MemoryKind;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.DriverStatus;
import org.cuarray.registry.DeviceContexts;
import org.cuarray.registry.PointerTable;

/** {@code cuMemAlloc} and {@code cuMemFree} on one device. */
final class ClassicAllocator implements DeviceMemoryAllocator, ReapedFreeing.Release {
  private final CudaDriver driver;
  private final DeviceContexts contexts;
  private final PointerTable table;
  private final Usage usage;
  private final Outstanding outstanding;
  private final Usage classic = new Usage();
  private final int ordinal;
  private final Residence residence;
  private final Block.Freeing freeing;

  ClassicAllocator(
      CudaDriver driver, int ordinal, Usage usage, Outstanding outstanding, Reaper reaper) {
    this.driver = driver;
    this.contexts = DeviceContexts.of(driver);
    this.table = PointerTable.of(driver);
    this.ordinal = ordinal;
    this.usage = usage;
    this.outstanding = outstanding;
    this.residence =
        Residences.of(driver).of(ordinal, contexts.context(ordinal), MemoryKind.CLASSIC, 0);
    this.freeing = new ReapedFreeing(table, reaper, this);
  }

  @Override
  public Residence residence() {
    return residence;
  }

  /** Classic memory is held as long as it is given out, and no longer. */
  @Override
  public long reserved() {
    return classic.used();
  }

  @Override
  public void trim() {}

  @Override
  public Block allocate(long bytes) {
    return outstanding.letOut(() -> allocateCounted(bytes));
  }

  private Block allocateCounted(long bytes) {
    long[] pointer = new long[1];
    contexts.enter(residence.context());
    try {
      int status = driver.memAlloc(pointer, bytes);
      if (status == CudaError.OUT_OF_MEMORY) {
        throw new CuOutOfMemoryException(
            ordinal,
            bytes,
            usage.used(),
            classic.used(),
            FreeMemory.of(driver, residence.context()));
      }
      DriverStatus.check(status, "cuMemAlloc", ordinal, bytes);
    } finally {
      contexts.leave();
    }
    Block block = new Block(pointer[0], bytes, residence, freeing);
    table.add(block);
    usage.add(bytes);
    classic.add(bytes);
    return block;
  }

  @Override
  public void release(Block block) {
    try {
      contexts.enter(residence.context());
      try {
        FailedFree.tolerate(driver.memFree(block.base()), "cuMemFree", block);
      } finally {
        contexts.leave();
      }
    } catch (RuntimeException e) {
      FailedFree.tolerate(e, block);
    } finally {
      usage.subtract(block.bytes());
      classic.subtract(block.bytes());
      outstanding.comeBack();
    }
  }

  @Override
  public void leave(Block block) {
    FailedFree.leave(block);
    outstanding.comeBack();
  }
}
