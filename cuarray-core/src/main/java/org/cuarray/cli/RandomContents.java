package org.cuarray.cli;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.cuarray.CuArray;
import org.cuarray.DType;

/** Random bytes of any number that can be made again, piece by piece, to be compared. */
final class RandomContents {
  private static final int PIECE = 16 << 20;

  private final long seed;

  /**
   * Contents.
   *
   * @param seed the same contents for the same seed
   */
  RandomContents(long seed) {
    this.seed = seed;
  }

  /** Fills an array. */
  void writeTo(CuArray<Byte> array) {
    for (long from = 0; from < array.size(); from += PIECE) {
      try (CuArray<Byte> piece = piece(array, from)) {
        piece.copyFrom(DType.INT8, bytes(from, piece.size()));
      }
    }
  }

  /**
   * Downloads an array and compares every byte of it.
   *
   * @return the first byte that is wrong; -1 where all are right
   */
  long findWrongByte(CuArray<Byte> array) {
    for (long from = 0; from < array.size(); from += PIECE) {
      try (CuArray<Byte> piece = piece(array, from)) {
        int wrong = Arrays.mismatch(piece.toArray(DType.INT8), bytes(from, piece.size()));
        if (wrong >= 0) {
          return from + wrong;
        }
      }
    }
    return -1;
  }

  private static CuArray<Byte> piece(CuArray<Byte> array, long from) {
    return array.slice(from, Math.min(array.size(), from + PIECE));
  }

  private byte[] bytes(long from, long count) {
    byte[] bytes = new byte[(int) count];
    new SplittableRandom(seed + from).nextBytes(bytes);
    return bytes;
  }
}
