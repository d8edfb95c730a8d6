package org.cuarray.memory;

import java.util.concurrent.locks.ReentrantLock;
import org.cuarray.driver.CudaDriver;
import org.cuarray.registry.ForeignPointers.ForeignAllocation;
import org.cuarray.registry.PointerTable;

/**
 * Blocks over memory that somebody else allocated. All arrays over one foreign allocation share one
 * block, and so one order; nothing of theirs is freed or changed. Thread-safe.
 */
public final class ForeignMemory {
  private final PointerTable table;
  private final Residences residences;
  private final ReentrantLock lock = new ReentrantLock();

  private ForeignMemory(CudaDriver driver) {
    this.table = PointerTable.of(driver);
    this.residences = Residences.of(driver);
  }

  /** That of the process that uses this driver. */
  public static ForeignMemory of(CudaDriver driver) {
    return driver.process().get(ForeignMemory.class, () -> new ForeignMemory(driver));
  }

  /**
   * An owner of the block over a foreign allocation; the block lives while it has owners.
   *
   * @param allocation as the driver describes it
   */
  public Owner adopt(ForeignAllocation allocation) {
    Residence residence = residences.ofForeign(allocation, allocation.pool());
    lock.lock();
    try {
      if (table.find(allocation.base()) instanceof Block known
          && known.base() == allocation.base()
          && known.bytes() == allocation.bytes()
          && known.residence().equals(residence)
          && known.tryOwn()) {
        return Owner.ofOwned(known);
      }
      Block block =
          new Block(
              allocation.base(),
              allocation.bytes(),
              residence,
              Block.Provenance.FOREIGN,
              table::remove);
      table.addForeign(block);
      return Owner.of(block);
    } finally {
      lock.unlock();
    }
  }
}
