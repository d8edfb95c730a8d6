package org.cuarray.driver.simulated;

import com.google.common.collect.EvictingQueue;
import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import org.cuarray.driver.simulated.Finding.Kind;
import org.cuarray.driver.simulated.Finding.Place;
import org.jspecify.annotations.Nullable;

/** What was noticed so far. Remembers the last freed allocations to name who used them after. */
final class Findings {
  private static final int REMEMBERED = 256;
  private static final int MOST_FINDINGS = 1000;

  /** Without the block itself, whose bytes are to be collected. */
  private record Freed(String block, long address, long bytes, Trace allocated, Trace trace) {
    boolean held(long place) {
      return place >= address && place - address < bytes;
    }
  }

  private final List<Finding> noticed = new ArrayList<>(0);
  private final Machine machine;
  private @Nullable EvictingQueue<Freed> freed;

  Findings(Machine machine) {
    this.machine = machine;
  }

  private void add(Kind kind, String message, Place... places) {
    if (noticed.size() < MOST_FINDINGS) {
      noticed.add(new Finding(kind, message, List.of(places)));
    }
  }

  void freed(Block block) {
    if (freed == null) {
      freed = EvictingQueue.create(REMEMBERED);
    }
    freed.add(
        new Freed(block.toString(), block.address, block.bytes, block.allocated, machine.trace()));
  }

  /** An operation was refused for this address; notes it where the address was once allocated. */
  void unknownAddress(long address, String operation) {
    if (freed == null) {
      return;
    }
    Freed last = null;
    for (Freed candidate : freed) {
      if (candidate.held(address)) {
        last = candidate;
      }
    }
    if (last != null) {
      add(
          Kind.USE_AFTER_FREE,
          operation + " of freed " + last.block,
          Place.of("allocated", last.allocated),
          Place.of("freed", last.trace),
          Place.of("used", machine.trace()));
    }
  }

  /** Pool memory is used without an order after its allocation. */
  void beforeReady(Block block, Submission allocation, Submission use, String what) {
    add(
        Kind.USE_BEFORE_READY,
        "%s: %s, and nothing orders that after its allocation by %s"
            .formatted(block, what, allocation),
        Place.of("allocated: " + allocation, allocation.trace),
        Place.of("used: " + use, use.trace));
  }

  /** Two accesses conflict and have no order. */
  void unordered(Block block, Access earlier, Access later) {
    add(
        Kind.UNORDERED_ACCESS,
        "%s: %s, and nothing orders that after %s".formatted(block, later, earlier),
        Place.of("submitted first: " + earlier, earlier.by().trace),
        Place.of("submitted second: " + later, later.by().trace));
  }

  /** Memory is freed without an order after a use of it. */
  void inFlight(Block block, Access use, Submission free) {
    add(
        Kind.FREE_IN_FLIGHT,
        "%s: freed by %s, and nothing orders that after %s".formatted(block, free, use),
        Place.of("allocated", block.allocated),
        Place.of("used: " + use, use.by().trace),
        Place.of("freed: " + free, free.trace));
  }

  /** What was noticed, then a leak for each live allocation of a device that is not lost. */
  ImmutableList<Finding> with(List<Block> live) {
    ImmutableList.Builder<Finding> all = ImmutableList.builder();
    all.addAll(noticed);
    for (Block block : live) {
      if (!block.isLost()) {
        all.add(
            new Finding(
                Kind.LEAK,
                block + " was never freed",
                List.of(Place.of("allocated", block.allocated))));
      }
    }
    return all.build();
  }
}
