package org.cuarray.memory;

import org.cuarray.CuOutOfMemoryException;
import org.cuarray.MemoryKind;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.DriverFlags;
import org.cuarray.driver.DriverStatus;
import org.cuarray.registry.DeviceContexts;
import org.cuarray.registry.PointerTable;

/**
 * Pinned host memory, portable, so that every device may copy to and from it; made through the
 * context of the device that asks, so that no other device gets a context.
 */
public final class PinnedAllocator {
  private final CudaDriver driver;
  private final DeviceContexts contexts;
  private final PointerTable table;
  private final Residences residences;
  private final Usage usage = new Usage();
  private final Outstanding outstanding;
  private final Runnable relief;
  private final Block.Freeing freeing;

  /**
   * The allocator of one runtime.
   *
   * @param relief gives back pinned memory that is not in use
   */
  PinnedAllocator(CudaDriver driver, Outstanding outstanding, Reaper reaper, Runnable relief) {
    this.relief = relief;
    this.outstanding = outstanding;
    this.driver = driver;
    this.contexts = DeviceContexts.of(driver);
    this.table = PointerTable.of(driver);
    this.residences = Residences.of(driver);
    this.freeing = new ReapedFreeing(table, reaper, new Releasing());
  }

  /**
   * Allocates host memory; its bytes are undefined.
   *
   * @param ordinal through which device's context
   * @param bytes at least 1
   * @throws CuOutOfMemoryException where the host has no pinned memory left
   */
  public Block allocate(int ordinal, long bytes) {
    return outstanding.letOut(
        () -> {
          try {
            return allocateCounted(ordinal, bytes);
          } catch (CuOutOfMemoryException e) {
            relief.run();
            return allocateCounted(ordinal, bytes);
          }
        });
  }

  private Block allocateCounted(int ordinal, long bytes) {
    long context = contexts.context(ordinal);
    long[] address = new long[1];
    contexts.enter(context);
    try {
      int status = driver.memHostAlloc(address, bytes, DriverFlags.HOST_ALLOC_PORTABLE);
      if (status == CudaError.OUT_OF_MEMORY) {
        throw CuOutOfMemoryException.pinnedHost(bytes, usage.used(), usage.used());
      }
      DriverStatus.check(status, "cuMemHostAlloc", ordinal, bytes);
    } finally {
      contexts.leave();
    }
    Block block =
        new Block(
            address[0], bytes, residences.of(ordinal, context, MemoryKind.PINNED_HOST, 0), freeing);
    table.add(block);
    usage.add(bytes);
    return block;
  }

  /** What becomes of a block that nobody owns. */
  private final class Releasing implements ReapedFreeing.Release {
    @Override
    public void release(Block block) {
      try {
        contexts.enter(block.context());
        try {
          FailedFree.tolerate(driver.memFreeHost(block.base()), "cuMemFreeHost", block);
        } finally {
          contexts.leave();
        }
      } catch (RuntimeException e) {
        FailedFree.tolerate(e, block);
      } finally {
        usage.subtract(block.bytes());
        outstanding.comeBack();
      }
    }

    @Override
    public void leave(Block block) {
      FailedFree.leave(block);
      outstanding.comeBack();
    }
  }
}
