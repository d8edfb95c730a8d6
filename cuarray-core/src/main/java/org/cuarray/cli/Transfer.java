package org.cuarray.cli;

import com.google.common.collect.ImmutableList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.cuarray.CuRuntime;
import org.cuarray.CuTopology;
import org.cuarray.LinkState;

/**
 * A way that a copy can go.
 *
 * @param from where the bytes are
 * @param to where they are wanted
 */
record Transfer(Side from, Side to) {

  /** Every side to every side: by source, then by destination, then by kinds of memory. */
  static List<Transfer> all(CuRuntime cuda) {
    List<Side> sides = Side.all(cuda);
    return sides.stream()
        .flatMap(from -> sides.stream().map(to -> new Transfer(from, to)))
        .sorted(
            Comparator.comparingInt((Transfer transfer) -> transfer.from.device().ordinal())
                .thenComparingInt(transfer -> transfer.to.device().ordinal()))
        .collect(ImmutableList.toImmutableList());
  }

  boolean isWithinDevice() {
    return from.device().equals(to.device());
  }

  /** Such as {@code "pool → classic"}. */
  String memory() {
    return from.memory() + " → " + to.memory();
  }

  /** What is known of the link for this kind of memory; empty within a device. */
  Optional<LinkState> link(CuTopology topology) {
    if (isWithinDevice()) {
      return Optional.empty();
    }
    Map<String, LinkState> byMemory = topology.linkByMemory(from.device(), to.device());
    LinkState ofAll = topology.link(from.device(), to.device()).state();
    return Optional.of(byMemory.getOrDefault(memory(), byMemory.getOrDefault("", ofAll)));
  }

  @Override
  public String toString() {
    return "%s → %s (%s)".formatted(from.device(), to.device(), memory());
  }
}
