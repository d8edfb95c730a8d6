package org.cuarray.driver.simulated;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One GPU: its memory account, its contexts and whether it still answers. */
final class Device {
  final int ordinal;
  final long memory;

  /** The live contexts, the active primary one among them. */
  final List<Context> contexts = new ArrayList<>(1);

  /** The pools that were not destroyed, the default one among them. */
  final List<Pool> pools = new ArrayList<>(1);

  /** Bytes of physical memory taken: allocations and everything that pools hold. */
  long used;

  boolean lost;
  @Nullable Context primary;
  @Nullable Pool defaultPool;

  /** How many mappings (enables, pool grants) let this device reach each peer. */
  private int @Nullable [] mappings;

  private int mappedPeers;

  Device(int ordinal, long memory) {
    this.ordinal = ordinal;
    this.memory = memory;
  }

  /** Takes physical memory where enough is left. */
  boolean take(long bytes) {
    if (bytes > memory - used) {
      return false;
    }
    used += bytes;
    return true;
  }

  void give(long bytes) {
    used -= bytes;
  }

  /** Whether one more mapping of {@code peer} keeps within a number of mapped peers. */
  boolean canMap(Device peer, int limit) {
    return mappedPeers < limit || (mappings != null && mappings[peer.ordinal] > 0);
  }

  void map(Device peer, int devices) {
    int[] counts = mappings;
    if (counts == null) {
      counts = new int[devices];
      mappings = counts;
    }
    if (counts[peer.ordinal]++ == 0) {
      mappedPeers++;
    }
  }

  void unmap(Device peer) {
    int[] counts = mappings;
    if (counts != null && --counts[peer.ordinal] == 0) {
      mappedPeers--;
    }
  }
}
