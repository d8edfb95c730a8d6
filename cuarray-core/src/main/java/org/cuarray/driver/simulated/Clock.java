package org.cuarray.driver.simulated;

import java.util.Arrays;

/**
 * A point in the partial order of a machine's work: how far each lane has come (a vector clock). A
 * lane is what {@link Lanes} gives a stream. Not thread-safe.
 */
final class Clock {
  private static final long[] NOWHERE = {};

  private long[] reached;

  Clock() {
    this(NOWHERE);
  }

  private Clock(long[] reached) {
    this.reached = reached;
  }

  /** Whether a position of a lane lies before this point, or is it. */
  boolean covers(int lane, long position) {
    return lane < reached.length && reached[lane] >= position;
  }

  /** Moves on to a position of a lane. */
  void reach(int lane, long position) {
    if (lane >= reached.length) {
      reached = Arrays.copyOf(reached, lane + 1);
    }
    reached[lane] = position;
  }

  /** Moves on to the first point that comes after this one and another. */
  void join(Clock other) {
    if (other.reached.length > reached.length) {
      reached = Arrays.copyOf(reached, other.reached.length);
    }
    for (int i = 0; i < other.reached.length; i++) {
      reached[i] = Math.max(reached[i], other.reached[i]);
    }
  }

  /** This point, which stays. */
  Clock snapshot() {
    return new Clock(reached.clone());
  }
}
