package org.cuarray.cli.bench;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * Measures several ways in turn, so that what drifts (clocks, neighbours on a shared machine) hits
 * all of them alike. Each round begins with another way.
 */
final class Interleaved {
  private static final int FIRST_CAPACITY = 256;

  private Interleaved() {}

  /** Samples of each way, in the order of the ways. */
  static List<double[]> measure(Pace pace, List<Way> ways) {
    runFor(pace.warmUp(), 1, new Samples(ways));
    Samples counted = new Samples(ways);
    runFor(pace.measuring(), pace.leastRounds(), counted);
    return counted.all();
  }

  private static void runFor(Duration time, int leastRounds, Samples into) {
    long start = System.nanoTime();
    for (int round = 0;
        round < leastRounds || System.nanoTime() - start < time.toNanos();
        round++) {
      into.takeRound(round);
    }
  }

  private static final class Samples {
    private final List<Way> ways;
    private final double[][] samples;
    private int rounds;

    Samples(List<Way> ways) {
      this.ways = ways;
      this.samples = new double[ways.size()][FIRST_CAPACITY];
    }

    void takeRound(int first) {
      if (rounds == samples[0].length) {
        for (int way = 0; way < samples.length; way++) {
          samples[way] = Arrays.copyOf(samples[way], 2 * rounds);
        }
      }
      for (int i = 0; i < samples.length; i++) {
        int way = (first + i) % samples.length;
        samples[way][rounds] = ways.get(way).sampler().sample();
      }
      rounds++;
    }

    List<double[]> all() {
      return Arrays.stream(samples).map(each -> Arrays.copyOf(each, rounds)).toList();
    }
  }
}
