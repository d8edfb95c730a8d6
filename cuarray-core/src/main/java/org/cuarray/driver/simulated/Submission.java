package org.cuarray.driver.simulated;

import org.jspecify.annotations.Nullable;

/** A driver call that gave work to a stream, or did something at once, as findings name it. */
final class Submission {
  private final String call;
  private final @Nullable Stream stream;
  final int lane;
  final long position;

  /** What comes before it, itself included. */
  final Clock clock;

  final Trace trace;

  private Submission(
      String call, @Nullable Stream stream, int lane, long position, Clock clock, Trace trace) {
    this.call = call;
    this.stream = stream;
    this.lane = lane;
    this.position = position;
    this.clock = clock;
    this.trace = trace;
  }

  /** Work of a stream, at the stream's newest position. */
  static Submission to(Stream stream, String call, Trace trace) {
    return new Submission(
        call, stream, stream.lane, stream.position, stream.clock.snapshot(), trace);
  }

  /** What happens while its call lasts. */
  static Submission atOnce(String call, Clock host, Trace trace) {
    return new Submission(call, null, 0, 0, host.snapshot(), trace);
  }

  /** Whether it comes before a point of the order. */
  boolean isBefore(Clock point) {
    return stream == null || point.covers(lane, position);
  }

  @Override
  public String toString() {
    return stream == null ? call : call + " on " + stream;
  }
}
