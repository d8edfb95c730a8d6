package org.cuarray.tests.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.cuarray.driver.simulated.Preset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Random programs on machines whose streams work late and in an odd order. */
class ScheduledProgramsTest {
  private static final int RUNS = Integer.getInteger("cuarray.scheduledPrograms", 200);

  private static final RandomPrograms PROGRAMS = new RandomPrograms();

  @AfterAll
  static void endThreads() {
    PROGRAMS.close();
  }

  static Stream<Arguments> presets() {
    return ProgramSeeds.ofPresets();
  }

  @ParameterizedTest(name = "random programs agree with the model and are in order on {0}, {1}")
  @MethodSource("presets")
  void areInOrder(Preset preset, ProgramSeeds seeds) {
    assertThat(Soak.scheduled(PROGRAMS, preset, seeds.stream().limit(RUNS)))
        .isGreaterThanOrEqualTo(RUNS);
  }
}
