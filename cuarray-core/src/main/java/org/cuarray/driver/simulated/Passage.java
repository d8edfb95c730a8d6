package org.cuarray.driver.simulated;

/**
 * How bytes travel to where they are written: rightly here, as within a device, through the host or
 * over a good peer link, and in the liars' ways below. The driver's own staging never takes a
 * liar's.
 */
class Passage {
  /** The right one. */
  static final Passage DIRECT = new Passage();

  /** That over an open peer link of a machine. */
  static Passage overPeerLink(MachineSpec spec, Peering peering) {
    return switch (spec.preset()) {
      case BROKEN_IOMMU -> new LosesWrites(LosesWrites.EVERY_ONE);
      case LOSES_LARGE -> new LosesWrites(LosesWrites.LARGE_ONES);
      case POOL_GRANT_LOSES_WRITES -> new LosesWrites(LosesWrites.INTO_GRANTED_POOLS);
      case BREAKS_AFTER_GROWTH -> new LosesWrites(LosesWrites.intoMemoryMappedLater(peering));
      case MIRROR -> new MirrorPath(spec.devices());
      case FLIPS_LATER -> new FlipsLater(spec.devices(), spec.flipsAfter());
      default -> DIRECT;
    };
  }

  /** Whether a copy may travel in parts; not where its size or number decides what happens. */
  boolean takesParts() {
    return true;
  }

  /**
   * Copies.
   *
   * @param to written
   * @param at offset in it
   * @param from read
   * @param start offset in it
   * @param count bytes
   * @param reader the device whose stream does it
   */
  void copy(Block to, long at, Block from, long start, long count, Device reader) {
    to.write(at, from.seenBy(reader), start, count);
  }

  /**
   * Fills.
   *
   * @param to written
   * @param at offset in it
   * @param count bytes
   * @param pattern see {@link Store#fill}
   * @param writer the device whose stream does it
   */
  void fill(Block to, long at, long count, int pattern, Device writer) {
    to.fill(at, count, pattern);
  }

  /** The device that block memory lies on. */
  static Device deviceOf(Block block) {
    Device device = block.device;
    if (device == null) {
      throw new IllegalStateException("host memory on a peer link");
    }
    return device;
  }
}
