package org.cuarray.driver.simulated;

import com.google.common.collect.EvictingQueue;
import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.cuarray.driver.simulated.Finding.Kind;
import org.cuarray.driver.simulated.Finding.Place;
import org.jspecify.annotations.Nullable;

/** What was noticed so far. Remembers the last freed allocations to name who used them after. */
final class Findings {
  private static final int REMEMBERED = 256;
  private static final int MOST_FINDINGS = 1000;

  /** Without the block itself, whose bytes are to be collected. */
  private record Freed(
      MemoryKind kind, int device, long address, long bytes, Trace allocated, Trace trace) {
    static Freed of(Block block, Trace trace) {
      return new Freed(
          block.kind,
          block.device == null ? -1 : block.device.ordinal,
          block.address,
          block.bytes,
          block.allocated,
          trace);
    }

    boolean held(long place) {
      return place >= address && place - address < bytes;
    }

    @Override
    public String toString() {
      return "%s memory%s, %d bytes at 0x%x"
          .formatted(
              kind.name().toLowerCase(Locale.ROOT),
              device < 0 ? "" : " of device " + device,
              bytes,
              address);
    }
  }

  private final List<Finding> noticed = new ArrayList<>(0);
  private final Machine machine;
  private @Nullable EvictingQueue<Freed> freed;

  Findings(Machine machine) {
    this.machine = machine;
  }

  void freed(Block block) {
    if (freed == null) {
      freed = EvictingQueue.create(REMEMBERED);
    }
    freed.add(Freed.of(block, machine.trace()));
  }

  /** An operation was refused for this address; notes it where the address was once allocated. */
  void unknownAddress(long address, String operation) {
    if (freed == null || noticed.size() == MOST_FINDINGS) {
      return;
    }
    Freed last = null;
    for (Freed candidate : freed) {
      if (candidate.held(address)) {
        last = candidate;
      }
    }
    if (last != null) {
      noticed.add(
          new Finding(
              Kind.USE_AFTER_FREE,
              operation + " of freed " + last,
              List.of(
                  Place.of("allocated", last.allocated),
                  Place.of("freed", last.trace),
                  Place.of("used", machine.trace()))));
    }
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
                Freed.of(block, Trace.empty()) + " was never freed",
                List.of(Place.of("allocated", block.allocated))));
      }
    }
    return all.build();
  }
}
