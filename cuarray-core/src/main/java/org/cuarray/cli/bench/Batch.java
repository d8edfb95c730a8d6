package org.cuarray.cli.bench;

/**
 * Some copies back to back and one wait at the end: enough of them for the wait not to count, and
 * never so many that the driver's queue makes the caller wait.
 */
final class Batch {
  /** Most copies between two waits. */
  static final int MOST = 256;

  private static final double WORTH_NANOS = 10e6;

  private Batch() {}

  /** Work that is done several times and waited for once. */
  @FunctionalInterface
  interface Repeated {
    /**
     * Does it.
     *
     * @param copies how many
     * @return nanoseconds for each
     */
    double nanosEach(int copies);
  }

  /** How many copies last about ten milliseconds together. */
  static int size(Repeated work) {
    double unused = work.nanosEach(1);
    return sizeFor(work.nanosEach(1));
  }

  static int sizeFor(double nanosEach) {
    return (int) Math.max(1, Math.min(MOST, Math.ceil(WORTH_NANOS / nanosEach)));
  }
}
