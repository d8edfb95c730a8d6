package org.cuarray.copy;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * Random bytes that nothing on a device can hold by chance: a block of them, repeated, each
 * repetition stamped with its place, so that data that arrives in the wrong place shows as well.
 */
final class ProofPattern {
  private static final int BLOCK = 64 << 10;

  private final byte[] block;
  private final byte[] complement;
  private final long stamp;

  private ProofPattern(byte[] block, byte[] complement, long stamp) {
    this.block = block;
    this.complement = complement;
    this.stamp = stamp;
  }

  /** A pattern that was not there before. */
  static ProofPattern fresh(SplittableRandom random) {
    byte[] block = new byte[BLOCK];
    random.nextBytes(block);
    byte[] complement = new byte[BLOCK];
    for (int i = 0; i < BLOCK; i++) {
      complement[i] = (byte) ~block[i];
    }
    return new ProofPattern(block, complement, random.nextLong());
  }

  /** Fills a buffer with the pattern. */
  void writeTo(ByteBuffer buffer) {
    write(buffer, block, stamp);
  }

  /** Fills a buffer with what differs from the pattern in every bit. */
  void writeComplementTo(ByteBuffer buffer) {
    write(buffer, complement, ~stamp);
  }

  private static void write(ByteBuffer buffer, byte[] bytes, long stamp) {
    for (int position = 0; position < buffer.capacity(); position += BLOCK) {
      int length = Math.min(BLOCK, buffer.capacity() - position);
      buffer.put(position, bytes, 0, length);
      if (length >= Long.BYTES) {
        // Adding the same to a number and to its complement would not keep them complements.
        buffer.putLong(position, stamp ^ position);
      }
    }
  }
}
