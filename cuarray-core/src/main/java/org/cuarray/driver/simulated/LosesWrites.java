package org.cuarray.driver.simulated;

import org.cuarray.driver.PoolAccess;

/** A link on which some writes vanish, with success reported. */
final class LosesWrites extends Passage {
  /** Which writes vanish. */
  interface Loss {
    boolean takes(Device writer, Block to, long count);
  }

  private static final long LARGE = 16L << 20;

  /** As behind an IOMMU that translates peer writes away. */
  static final Loss EVERY_ONE = (writer, to, count) -> true;

  static final Loss LARGE_ONES = (writer, to, count) -> count >= LARGE;

  /**
   * CUDA.jl #3112: once {@code cuMemPoolSetAccess} was called, peer writes into the pool vanish.
   */
  static final Loss INTO_GRANTED_POOLS =
      (writer, to, count) -> {
        PoolChunk chunk = to.chunk;
        return chunk != null && chunk.pool.access(writer) != PoolAccess.NONE;
      };

  private final Loss loss;

  LosesWrites(Loss loss) {
    this.loss = loss;
  }

  static Loss intoMemoryMappedLater(Peering peering) {
    return (writer, to, count) -> to.mappedAt > peering.openedAt(writer, deviceOf(to));
  }

  @Override
  boolean takesParts() {
    return false;
  }

  @Override
  void copy(Block to, long at, Block from, long start, long count, Device reader) {
    if (!loss.takes(deviceOf(from), to, count)) {
      super.copy(to, at, from, start, count, reader);
    }
  }

  @Override
  void fill(Block to, long at, long count, int pattern, Device writer) {
    if (!loss.takes(writer, to, count)) {
      super.fill(to, at, count, pattern, writer);
    }
  }
}
