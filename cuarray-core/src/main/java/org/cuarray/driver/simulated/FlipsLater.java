package org.cuarray.driver.simulated;

/**
 * A link that is right for its first copies, then flips one bit of each: only checking later copies
 * finds it out.
 */
final class FlipsLater extends Passage {
  private final int devices;
  private final int right;

  /** Copies so far, by [source × devices + destination]. */
  private final long[] copies;

  FlipsLater(int devices, int right) {
    this.devices = devices;
    this.right = right;
    this.copies = new long[devices * devices];
  }

  @Override
  boolean takesParts() {
    return false;
  }

  @Override
  void copy(Block to, long at, Block from, long start, long count, Device reader) {
    super.copy(to, at, from, start, count, reader);
    int link = deviceOf(from).ordinal * devices + deviceOf(to).ordinal;
    if (++copies[link] > right) {
      ((SparseBytes) to.store).flipBit(at + count / 2);
    }
  }
}
