package org.cuarray.cli.bench;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;

/**
 * How long to measure. The compiler of the JVM needs some seconds until the code that a latency is
 * made of is as fast as it gets; it is warmed up by time for that reason, not by a count.
 *
 * @param name {@code quick} or {@code full}
 * @param warmUp for what takes microseconds, on the first pair of devices
 * @param latency measuring the same
 * @param brief warming up and measuring what the first pair has warmed up already
 * @param bandwidth measuring one large copy
 * @param curves measuring all curves together
 * @param sizeStep the factor between two sizes of a curve
 */
public record Effort(
    String name,
    Duration warmUp,
    Duration latency,
    Duration brief,
    Duration bandwidth,
    Duration curves,
    int sizeStep) {
  private static final long SMALLEST = 4;
  private static final int FEW = 3;
  private static final int SOME = 5;

  /** About one minute on two devices. */
  public static final Effort QUICK =
      new Effort(
          "quick",
          Duration.ofMillis(2000),
          Duration.ofMillis(1500),
          Duration.ofMillis(400),
          Duration.ofMillis(1000),
          Duration.ofSeconds(12),
          16);

  /** Some minutes on two devices. */
  public static final Effort FULL =
      new Effort(
          "full",
          Duration.ofMillis(5000),
          Duration.ofMillis(5000),
          Duration.ofMillis(1500),
          Duration.ofMillis(4000),
          Duration.ofSeconds(90),
          4);

  /**
   * The same measurements in other times.
   *
   * @param factor of every time
   * @return an effort
   * @throws IllegalArgumentException where it is not above 0
   */
  public Effort times(double factor) {
    if (!(factor > 0)) {
      throw new IllegalArgumentException("a time factor of " + factor + " is not above 0");
    }
    return new Effort(
        name,
        scaled(warmUp, factor),
        scaled(latency, factor),
        scaled(brief, factor),
        scaled(bandwidth, factor),
        scaled(curves, factor),
        sizeStep);
  }

  private static Duration scaled(Duration duration, double factor) {
    return Duration.ofNanos((long) (duration.toNanos() * factor));
  }

  /**
   * The sizes of a curve.
   *
   * @param largest none is above it
   * @return from 4 bytes on
   */
  public List<Long> sizesUpTo(long largest) {
    return LongStream.iterate(SMALLEST, size -> size <= largest, size -> size * sizeStep)
        .boxed()
        .toList();
  }

  /** For what takes microseconds and has not run before. */
  Pace ofLatency() {
    return new Pace(warmUp, latency, SOME);
  }

  /** For what takes microseconds, where the same code has been warmed up already. */
  Pace ofWarmLatency() {
    return new Pace(brief, brief, SOME);
  }

  /** Of all pairs the first one runs first. */
  Pace ofLatency(Pair pair) {
    return pair.isFirst() ? ofLatency() : ofWarmLatency();
  }

  /** For one large copy. */
  Pace ofBandwidth() {
    return new Pace(bandwidth.dividedBy(5), bandwidth, SOME);
  }

  /** For one point of one of so many curves' points. */
  Pace ofPoint(int points) {
    Duration each = curves.dividedBy(Math.max(1, points));
    return new Pace(each.dividedBy(5), each, FEW);
  }
}
