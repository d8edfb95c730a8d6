package org.cuarray.copy;

import org.cuarray.MemoryKind;
import org.cuarray.memory.Residence;

/**
 * What a proof is valid for. The submitting side is always the source's: its context pushes.
 *
 * @param source ordinal of the source's device
 * @param destination ordinal of the destination's device
 * @param sourceContext through which the source is used
 * @param destinationContext through which the destination is used
 * @param sourceKind classic or pool
 * @param destinationKind classic or pool
 */
record LinkKey(
    int source,
    int destination,
    long sourceContext,
    long destinationContext,
    MemoryKind sourceKind,
    MemoryKind destinationKind) {

  static LinkKey of(Residence source, Residence destination) {
    return new LinkKey(
        source.ordinal(),
        destination.ordinal(),
        source.context(),
        destination.context(),
        provable(source.kind()),
        provable(destination.kind()));
  }

  /** A pool is a pool to the hardware, whoever made it. */
  private static MemoryKind provable(MemoryKind kind) {
    return kind == MemoryKind.FOREIGN_POOL ? MemoryKind.POOL : kind;
  }

  /** The kinds of memory, for people. */
  String kinds() {
    return word(sourceKind) + " → " + word(destinationKind);
  }

  private static String word(MemoryKind kind) {
    return kind == MemoryKind.POOL ? "pool" : "classic";
  }
}
