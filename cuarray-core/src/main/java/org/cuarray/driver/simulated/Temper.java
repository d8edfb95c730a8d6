package org.cuarray.driver.simulated;

import java.util.SplittableRandom;

/**
 * How a seed's scheduler behaves, since different faults need different ones: most are late with
 * everything, some are restless.
 *
 * @param restlessness in how many of 64 driver calls some work is done that nobody waits for
 * @param haste in how many of 64 steps towards what is waited for another step is taken instead
 * @param progress in how many of 64 queries some of what is asked for is done first
 * @param mostParts into how many parts a transfer falls at most
 */
record Temper(int restlessness, int haste, int progress, int mostParts) {
  static final int ALWAYS = 64;
  private static final int[] RESTLESSNESS = {0, 0, 1, 4, 32};
  private static final int[] HASTE = {0, 0, 4, 32};
  private static final int[] PROGRESS = {4, 32, ALWAYS};
  private static final int[] MOST_PARTS = {1, 2, 5};

  static Temper of(SplittableRandom random) {
    return new Temper(
        oneOf(RESTLESSNESS, random),
        oneOf(HASTE, random),
        oneOf(PROGRESS, random),
        oneOf(MOST_PARTS, random));
  }

  private static int oneOf(int[] values, SplittableRandom random) {
    return values[random.nextInt(values.length)];
  }
}
