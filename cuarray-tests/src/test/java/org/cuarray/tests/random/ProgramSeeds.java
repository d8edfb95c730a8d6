package org.cuarray.tests.random;

import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.cuarray.driver.simulated.Preset;
import org.junit.jupiter.params.provider.Arguments;

/** Seeds of random programs: every other one is the same each time, the rest are new. */
record ProgramSeeds(long fresh) {
  private static final long FIXED = 1;

  /** All machines, each with its seeds. */
  static Stream<Arguments> ofPresets() {
    ProgramSeeds seeds = new ProgramSeeds(System.nanoTime());
    return Stream.of(Preset.values()).map(preset -> Arguments.of(preset, seeds));
  }

  LongStream stream() {
    SplittableRandom same = new SplittableRandom(FIXED);
    SplittableRandom other = new SplittableRandom(fresh);
    return LongStream.iterate(0, i -> i + 1)
        .map(i -> i % 2 == 0 ? same.nextLong() : other.nextLong());
  }

  @Override
  public String toString() {
    return "seeds from %d and %d".formatted(FIXED, fresh);
  }
}
