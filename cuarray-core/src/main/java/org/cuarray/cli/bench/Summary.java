package org.cuarray.cli.bench;

import java.util.Arrays;

/**
 * The middle of some samples, and their spread.
 *
 * @param median half of the samples are below it
 * @param min the smallest
 * @param p10 a tenth of the samples is below it
 * @param p90 a tenth of the samples is above it
 * @param max the largest
 * @param samples how many there were
 */
public record Summary(double median, double min, double p10, double p90, double max, int samples) {

  /**
   * Puts samples in order.
   *
   * @param samples at least one, in any order; stays untouched
   * @return percentiles lie between the two nearest samples, in proportion
   * @throws IllegalArgumentException where there is none
   */
  public static Summary of(double... samples) {
    if (samples.length == 0) {
      throw new IllegalArgumentException("no samples to summarise");
    }
    double[] sorted = samples.clone();
    Arrays.sort(sorted);
    return new Summary(
        percentile(sorted, 0.5),
        sorted[0],
        percentile(sorted, 0.1),
        percentile(sorted, 0.9),
        sorted[sorted.length - 1],
        sorted.length);
  }

  private static double percentile(double[] sorted, double share) {
    double position = share * (sorted.length - 1);
    int below = (int) position;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
  }
}
