package org.cuarray.memory;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.cuarray.driver.CudaDriver;
import org.cuarray.registry.Allocation;
import org.cuarray.registry.ForeignPointers.ForeignAllocation;
import org.cuarray.registry.PointerTable;
import org.cuarray.stream.History;

/**
 * Blocks over memory that somebody else allocated. All arrays over one foreign allocation share one
 * block, and so one order; nothing of theirs is freed or changed.
 *
 * <p>A block without owners stays in the table for a while: copies on it may still be in flight,
 * and whoever wraps the memory again comes after them. Thread-safe.
 */
public final class ForeignMemory {
  /** Blocks without owners that stay in the table, a few hundred bytes each. */
  static final int MOST_RETIRED = 1024;

  private final PointerTable table;
  private final Residences residences;
  private final Queue<Block> retired = new ConcurrentLinkedQueue<>();
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
      History order = new History(allocation.bytes());
      for (Allocation earlier : table.overlapping(allocation.base(), allocation.bytes())) {
        if (!(earlier instanceof Block known) || !known.isForeign()) {
          continue;
        }
        if (isSame(known, allocation, residence)) {
          if (known.tryOwn()) {
            return Owner.ofOwned(known);
          }
          order = known.history();
        } else {
          // The producer has freed and allocated again: no history fits both, so the host waits.
          ReapedFreeing.uses(known).awaitBusily();
        }
      }
      Block block =
          Block.foreign(allocation.base(), allocation.bytes(), residence, order, retired::add);
      table.addForeign(block);
      forgetOldest();
      return Owner.of(block);
    } finally {
      lock.unlock();
    }
  }

  /**
   * The uses of a block that so many others have followed completed long ago, as a rule. One whose
   * place another has taken shares its order with it, and may be in use, or held, right now.
   */
  private void forgetOldest() {
    while (retired.size() > MOST_RETIRED) {
      Block oldest = checkNotNull(retired.poll(), "only this method takes one out");
      if (isInTable(oldest) && ReapedFreeing.uses(oldest).awaitEnd()) {
        table.remove(oldest);
      }
    }
  }

  private boolean isInTable(Block block) {
    return table.overlapping(block.base(), block.bytes()).contains(block);
  }

  private static boolean isSame(Block known, ForeignAllocation allocation, Residence residence) {
    return known.base() == allocation.base()
        && known.bytes() == allocation.bytes()
        && known.residence().equals(residence);
  }
}
