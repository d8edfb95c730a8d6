package org.cuarray.driver.simulated;

/**
 * A link that reflects: the device a copy comes from finds its data when it reads the destination
 * back through the link, the destination's owner finds what was there before. A check that does not
 * read back as the owner is fooled.
 */
final class MirrorPath extends Passage {
  private final int devices;

  MirrorPath(int devices) {
    this.devices = devices;
  }

  @Override
  boolean takesParts() {
    return false;
  }

  @Override
  void copy(Block to, long at, Block from, long start, long count, Device reader) {
    Store.copy(to.mirageFor(deviceOf(from), devices), at, from.seenBy(reader), start, count);
  }

  @Override
  void fill(Block to, long at, long count, int pattern, Device writer) {
    to.mirageFor(writer, devices).fill(at, count, pattern);
  }
}
