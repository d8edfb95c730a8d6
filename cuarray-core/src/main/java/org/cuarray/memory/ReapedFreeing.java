package org.cuarray.memory;

import org.cuarray.registry.PointerTable;
import org.cuarray.stream.AccessMode;
import org.cuarray.stream.HostWaits;
import org.cuarray.stream.Operation;

/** Takes a block out of the table and leaves its memory to the {@link Reaper}. */
final class ReapedFreeing implements Block.Freeing {
  /** What becomes of the memory itself. Throws nothing. */
  interface Release {
    /** Frees it, when nothing runs on it any more. */
    void release(Block block);

    /** Gives it up instead, where something may still run on it. */
    void leave(Block block);
  }

  private final PointerTable table;
  private final Reaper reaper;
  private final Release release;

  ReapedFreeing(PointerTable table, Reaper reaper, Release release) {
    this.table = table;
    this.reaper = reaper;
    this.release = release;
  }

  @Override
  public void free(Block block) {
    table.remove(block);
    reaper.submit(uses(block), () -> release.release(block), () -> release.leave(block));
  }

  /** Everything submitted on a block so far. */
  static HostWaits uses(Block block) {
    Operation step = Operation.begin();
    try {
      int memory = step.touches(block.history(), 0, block.bytes(), AccessMode.WRITE);
      step.lock();
      step.after(memory);
      return step.intoHostWaits();
    } finally {
      step.end();
    }
  }
}
