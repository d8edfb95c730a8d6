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
  /**
   * How many programs run on each preset: half with seeds that never change, half with new ones.
   */
  private static final int PROGRAMS = Integer.getInteger("cuarray.randomPrograms", 200);

  /** Enough for links in both directions and a third party; each link costs a proof per kind. */
  private static final int DEVICES = 3;

  static Stream<Arguments> presets() {
    long fresh = System.nanoTime();
    return Stream.of(Preset.values()).map(preset -> Arguments.of(preset, fresh));
  }

  @ParameterizedTest(name = "random programs agree with the model on {0}, seeds from 1 and {1}")
  @MethodSource("presets")
  void agreeWithTheModel(Preset preset, long fresh) {
    SimulatedDriver machine = SimulatedDriver.of(preset, DEVICES);
    SplittableRandom fixedSeeds = new SplittableRandom(1);
    SplittableRandom freshSeeds = new SplittableRandom(fresh);
    for (int i = 0; i < PROGRAMS / 2; i++) {
      RandomPrograms.run(machine, Soak.verification(preset), fixedSeeds.nextLong());
      RandomPrograms.run(machine, Soak.verification(preset), freshSeeds.nextLong());
    }
    assertThat(machine.findings()).extracting(Finding::message).isEmpty();
  }
}
