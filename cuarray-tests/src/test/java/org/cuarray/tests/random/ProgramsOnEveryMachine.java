package org.cuarray.tests.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.cuarray.driver.simulated.Preset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random programs on every simulated machine; a subclass says how its streams work. */
@TestInstance(Lifecycle.PER_CLASS) // The threads that run the programs stay.
abstract class ProgramsOnEveryMachine {
  /** Runs programs on a machine, as {@link Soak} does. */
  @FunctionalInterface
  interface Runs {
    long of(RandomPrograms programs, Preset preset, LongStream seeds);
  }

  private final RandomPrograms programs = new RandomPrograms();
  private final int count;
  private final Runs runs;

  /** Runs as many programs a machine as a system property says, or 200. */
  ProgramsOnEveryMachine(String countProperty, Runs runs) {
    this.count = Integer.getInteger(countProperty, 200);
    this.runs = runs;
  }

  @AfterAll
  void endThreads() {
    programs.close();
  }

  @ParameterizedTest(name = "random programs agree with the model on {0}, {1}")
  @MethodSource("org.cuarray.tests.random.ProgramSeeds#ofPresets")
  void agreeWithTheModel(Preset preset, ProgramSeeds seeds) {
    assertThat(runs.of(programs, preset, seeds.stream().limit(count)))
        .isGreaterThanOrEqualTo(count);
  }
}
