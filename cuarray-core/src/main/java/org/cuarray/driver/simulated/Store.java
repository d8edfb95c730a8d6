package org.cuarray.driver.simulated;

import java.util.Arrays;

/**
 * The bytes of one allocation. Offsets count from its first address; callers have checked ranges.
 */
sealed interface Store permits SparseBytes, HostBytes {

  /** What fresh memory reads as, so that code that trusts on zeros fails. */
  int POISON = 0xA5A5A5A5;

  /** What freed memory reads as where it can still be read. */
  int FREED = 0xDDDDDDDD;

  /**
   * Writes a repeated pattern.
   *
   * @param at first offset
   * @param count bytes
   * @param pattern the byte at offset {@code o} becomes byte {@code o % 4} of it, low byte first
   */
  void fill(long at, long count, int pattern);

  /** The bytes are nobody's any more: gives them up where that can be, else lets them read so. */
  void release();

  /**
   * Copies between stores. Ranges within one store do not overlap.
   *
   * @param to written
   * @param at offset in it
   * @param from read
   * @param start offset in it
   * @param count bytes
   */
  static void copy(Store to, long at, Store from, long start, long count) {
    if (to instanceof SparseBytes device) {
      if (from instanceof SparseBytes other) {
        device.copyFrom(at, other, start, count);
      } else {
        device.readFrom(at, (HostBytes) from, start, count);
      }
    } else if (from instanceof SparseBytes device) {
      device.writeTo(start, (HostBytes) to, at, count);
    } else {
      ((HostBytes) to).copyFrom(at, (HostBytes) from, start, count);
    }
  }

  /** The byte of a pattern that belongs at an offset. */
  static byte patternAt(int pattern, long offset) {
    return (byte) (pattern >>> (8 * (int) (offset & 3)));
  }

  /** The pattern that reads the same after its bytes have moved by {@code distance}. */
  static int moved(int pattern, long distance) {
    return Integer.rotateLeft(pattern, 8 * (int) (distance & 3));
  }

  /** Writes a pattern into an array whose element 0 lies at an offset divisible by 4. */
  static void fill(byte[] bytes, int from, int count, int pattern) {
    byte first = (byte) pattern;
    if (pattern == (first & 0xFF) * 0x01010101) {
      Arrays.fill(bytes, from, from + count, first);
      return;
    }
    int filled = Math.min(count, Integer.BYTES);
    for (int i = from; i < from + filled; i++) {
      bytes[i] = patternAt(pattern, i);
    }
    // Doubling keeps the period of 4.
    for (; filled < count; filled += Math.min(filled, count - filled)) {
      System.arraycopy(bytes, from, bytes, from + filled, Math.min(filled, count - filled));
    }
  }
}
