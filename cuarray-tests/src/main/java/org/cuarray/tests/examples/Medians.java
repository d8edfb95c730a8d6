package org.cuarray.tests.examples;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Times of some runs that take turns, so that a drift of the machine hits them all. */
final class Medians {
  private Medians() {}

  /**
   * Measures.
   *
   * @param samples how many of each
   * @param warmUp how long everything runs before: the JVM compiles what runs often
   * @param between is called after each run and not measured
   * @param runs whose return is what is waited for
   * @return the median of each in milliseconds
   */
  static double[] of(int samples, Duration warmUp, Runnable between, List<Runnable> runs) {
    long start = System.nanoTime();
    do {
      for (Runnable run : runs) {
        run.run();
        between.run();
      }
    } while (System.nanoTime() - start < warmUp.toNanos());
    double[][] millis = new double[runs.size()][samples];
    for (int sample = 0; sample < samples; sample++) {
      for (int i = 0; i < runs.size(); i++) {
        long before = System.nanoTime();
        runs.get(i).run();
        millis[i][sample] = (System.nanoTime() - before) / 1e6;
        between.run();
      }
    }
    return Arrays.stream(millis).mapToDouble(Medians::median).toArray();
  }

  private static double median(double... samples) {
    Arrays.sort(samples);
    return samples[samples.length / 2];
  }
}
