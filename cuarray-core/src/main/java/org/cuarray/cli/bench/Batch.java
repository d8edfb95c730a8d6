package org.cuarray.cli.bench;

import java.util.List;

/**
 * Some copies back to back and one wait at the end: enough of them for the wait not to count, and
 * never so many that the driver's queue makes the caller wait.
 */
final class Batch {
  /** Most copies between two waits. */
  static final int MOST = 256;

  private static final int LEAST_BOTH_WAYS = 4;
  private static final double WORTH_NANOS = 10e6;

  private Batch() {}

  /**
   * How many copies in each direction last about ten milliseconds together.
   *
   * @param copies one for each direction
   */
  static int size(List<CopyPair> copies) {
    double unused = Bandwidth.cuarray(copies, 1);
    int size = sizeFor(Bandwidth.cuarray(copies, 1));
    // Of two directions one begins when the other's first copy has been submitted.
    return copies.size() > 1 ? Math.max(LEAST_BOTH_WAYS, size) : size;
  }

  static int sizeFor(double nanosEach) {
    return (int) Math.max(1, Math.min(MOST, Math.ceil(WORTH_NANOS / nanosEach)));
  }
}
