package org.cuarray.driver.simulated;

/**
 * How bytes travel over an open peer link: rightly here, and in the liars' ways below. The driver's
 * own staging never passes here.
 */
class PeerPath {

  /** The path of a machine. */
  static PeerPath of(MachineSpec spec, Peering peering) {
    return switch (spec.preset()) {
      case BROKEN_IOMMU -> new LosesWrites(LosesWrites.EVERY_ONE);
      case LOSES_LARGE -> new LosesWrites(LosesWrites.LARGE_ONES);
      case POOL_GRANT_LOSES_WRITES -> new LosesWrites(LosesWrites.INTO_GRANTED_POOLS);
      case BREAKS_AFTER_GROWTH -> new LosesWrites(LosesWrites.intoMemoryMappedLater(peering));
      case MIRROR -> new MirrorPath(spec.devices());
      case FLIPS_LATER -> new FlipsLater(spec.devices(), spec.flipsAfter());
      default -> new PeerPath();
    };
  }

  /**
   * Copies between memory of two devices.
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
   * Fills memory of another device.
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
