package org.cuarray.driver.simulated;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * Small numbers for streams, so that a {@link Clock} is an array. A number is used again, and goes
 * on counting positions, once the host knows that all work of the stream before has happened: then
 * what comes after the new stream's work comes after the old one's as well.
 */
final class Lanes {
  private final Deque<Integer> free = new ArrayDeque<>();
  private final List<Integer> retired = new ArrayList<>();
  private long[] last = new long[8];
  private int used;

  /** A lane that nobody has. */
  int take(Clock host) {
    for (Iterator<Integer> all = retired.iterator(); all.hasNext(); ) {
      int lane = all.next();
      if (host.covers(lane, last[lane])) {
        free.add(lane);
        all.remove();
      }
    }
    Integer again = free.poll();
    if (again != null) {
      return again;
    }
    if (used == last.length) {
      last = Arrays.copyOf(last, 2 * used);
    }
    return used++;
  }

  /** The next position of a lane, from 1. */
  long next(int lane) {
    return ++last[lane];
  }

  /** Ends the use of a lane. */
  void retire(int lane) {
    retired.add(lane);
  }
}
