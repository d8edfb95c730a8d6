package org.cuarray.tests.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.cuarray.driver.simulated.Finding;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RandomProgramsTest {
  /** How many programs run on each preset, fixed seeds and new ones. */
  private static final int PROGRAMS = Integer.getInteger("cuarray.randomPrograms", 60);

  static Stream<Arguments> presetsAndSeeds() {
    long fresh = System.nanoTime();
    return Stream.of(Preset.values())
        .flatMap(preset -> Stream.of(Arguments.of(preset, 1L), Arguments.of(preset, fresh)));
  }

  @ParameterizedTest(name = "random programs agree with the model on {0}, seeds from {1}")
  @MethodSource("presetsAndSeeds")
  void agreeWithTheModel(Preset preset, long seed) {
    SimulatedDriver machine = SimulatedDriver.of(preset);
    SplittableRandom seeds = new SplittableRandom(seed);
    for (int i = 0; i < PROGRAMS / 2; i++) {
      RandomPrograms.run(machine, Soak.verification(preset), seeds.nextLong());
    }
    assertThat(machine.findings()).extracting(Finding::message).isEmpty();
  }
}
