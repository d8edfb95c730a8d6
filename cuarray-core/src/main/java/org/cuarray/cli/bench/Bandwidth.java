package org.cuarray.cli.bench;

import java.util.List;

/**
 * The time of copies back to back, some directions at once, one wait at the end. One thread submits
 * all of them, turn by turn.
 */
final class Bandwidth {
  private Bandwidth() {}

  /**
   * The library's copies.
   *
   * @param copies one for each direction
   * @param times how often each
   * @return nanoseconds for one copy of one direction: of the time that all take, its share
   */
  static double cuarray(List<CopyPair> copies, int times) {
    long start = System.nanoTime();
    for (int i = 0; i < times; i++) {
      for (int k = 0; k < copies.size(); k++) {
        copies.get(k).copy();
      }
    }
    for (int k = 0; k < copies.size(); k++) {
      copies.get(k).await();
    }
    return (double) (System.nanoTime() - start) / ((long) times * copies.size());
  }

  /** The same with bare calls. */
  static double raw(List<CopyPair> copies, int times) {
    copies.get(0).enter();
    int statuses = 0;
    long start = System.nanoTime();
    for (int i = 0; i < times; i++) {
      for (int k = 0; k < copies.size(); k++) {
        statuses |= copies.get(k).copyRaw();
      }
    }
    for (int k = 0; k < copies.size(); k++) {
      statuses |= copies.get(k).awaitRaw();
    }
    long nanos = System.nanoTime() - start;
    copies.get(0).leave(statuses);
    return (double) nanos / ((long) times * copies.size());
  }
}
