package org.cuarray.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.cuarray.MemoryKind;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.multidevice.Threads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PointerTableTest {
  private static final int THREADS = 4;
  private static final int ROUNDS = 20_000;
  private static final long BYTES = 256;

  private final PointerTable table = PointerTable.of(SimulatedDriver.of(Preset.NVLINK));

  /** No record: two allocations at one address, one after the other, are not equal. */
  private static class Memory implements Allocation {
    private final long base;

    Memory(long base) {
      this.base = base;
    }

    @Override
    public long base() {
      return base;
    }

    @Override
    public long bytes() {
      return BYTES;
    }

    @Override
    public int ordinal() {
      return 0;
    }

    @Override
    public long context() {
      return 1;
    }

    @Override
    public MemoryKind kind() {
      return MemoryKind.CLASSIC;
    }
  }

  @Test
  void eachThreadFindsItsOwnAllocationsWhileOthersComeAndGo() {
    List<Runnable> threads = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      long base = (1 + thread) * BYTES;
      threads.add(
          () -> {
            for (int i = 0; i < ROUNDS; i++) {
              Memory memory = new Memory(base + THREADS * BYTES * (i % 7));
              table.add(memory);
              assertThat(table.find(memory.base + 1)).isSameAs(memory);
              table.remove(memory);
              assertThat(table.find(memory.base)).isNull();
            }
          });
    }
    Threads.runTogether(threads);
  }

  @Test
  void anAddressThatWasGivenToAnotherAllocationStaysItsOwn() {
    Memory freed = new Memory(BYTES);
    Memory next = new Memory(BYTES);
    table.addForeign(freed);
    table.add(next);
    assertThat(table.find(BYTES)).isSameAs(next);
    table.remove(freed);
    assertThat(table.find(BYTES)).isSameAs(next);
  }

  @Test
  void anAllocationThatIsFreedWhileItIsSortedInIsGone() {
    table.add(
        new Memory(BYTES) {
          private boolean freed;

          // The table asks for it while it sorts the allocation in.
          @Override
          public long base() {
            if (!freed) {
              freed = true;
              table.remove(this);
            }
            return super.base();
          }
        });
    assertThat(table.find(BYTES)).isNull();
  }

  @Test
  void aLookUpWaitsForWhoeverChangesTheTable() throws Exception {
    Memory known = new Memory(BYTES);
    table.addForeign(known);
    FutureTask<Allocation> lookUp = new FutureTask<>(() -> table.find(BYTES));
    Thread thread = new Thread(lookUp);
    table.addForeign(
        new Memory(2 * BYTES) {
          // The table asks for it while it changes.
          @Override
          public long base() {
            if (thread.getState() == Thread.State.NEW) {
              thread.start();
            }
            while (thread.getState() != Thread.State.WAITING) {
              assertThat(lookUp).as("a look-up that does not wait").isNotDone();
              Thread.onSpinWait();
            }
            return super.base();
          }
        });
    assertThat(lookUp.get()).isSameAs(known);
  }
}
