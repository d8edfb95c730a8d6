package org.cuarray.tests.examples;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Times of some runs that take turns, so that a drift of the machine hits them all. */
final class Medians {
  private static final long WARM_UP = TimeUnit.SECONDS.toNanos(2);

  private Medians() {}

  /**
   * Measures.
   *
   * @param samples how many of each
   * @param runs each of which returns when its work is done
   * @return the median of each in milliseconds, after a warm-up
   */
  static double[] of(int samples, List<Runnable> runs) {
    long start = System.nanoTime();
    do {
      runs.forEach(Runnable::run);
    } while (System.nanoTime() - start < WARM_UP);
    double[][] millis = new double[runs.size()][samples];
    for (int sample = 0; sample < samples; sample++) {
      for (int i = 0; i < runs.size(); i++) {
        long before = System.nanoTime();
        runs.get(i).run();
        millis[i][sample] = (System.nanoTime() - before) / 1e6;
      }
    }
    return Arrays.stream(millis).mapToDouble(Medians::median).toArray();
  }

  private static double median(double... samples) {
    Arrays.sort(samples);
    return samples[samples.length / 2];
  }
}
