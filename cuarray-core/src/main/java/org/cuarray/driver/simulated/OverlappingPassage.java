package org.cuarray.driver.simulated;

/**
 * Within one allocation, where ranges may overlap. That gives no memmove: "undefined" is made
 * visible by copying in the order in which each piece has already been overwritten when it is read.
 */
final class OverlappingPassage extends Passage {
  @Override
  boolean takesParts() {
    return false;
  }

  @Override
  void copy(Block to, long at, Block from, long start, long count, Device reader) {
    long distance = Math.abs(at - start);
    if (distance == 0) {
      return;
    }
    long piece = Math.min(distance, count);
    long pieces = (count + piece - 1) / piece;
    for (long i = 0; i < pieces; i++) {
      long offset = (at > start ? i : pieces - 1 - i) * piece;
      long length = Math.min(piece, count - offset);
      super.copy(to, at + offset, from, start + offset, length, reader);
    }
  }
}
