package org.cuarray.tests.multidevice;

import java.util.stream.Stream;
import org.cuarray.driver.simulated.Preset;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The multi-device suite on machines whose streams work as late and in as odd an order as the
 * driver's rules allow, and which check that nothing depends on luck.
 */
@ParameterizedClass(name = "{0}, seed {1}")
@MethodSource("presetsAndSeeds")
class ScheduledMultiDeviceTest extends SeveralMachinesSuite {
  private final Preset preset;
  private final long seed;

  ScheduledMultiDeviceTest(Preset preset, long seed) {
    this.preset = preset;
    this.seed = seed;
  }

  static Stream<Arguments> presetsAndSeeds() {
    return Seeds.all()
        .skip(Long.getLong("cuarray.seed") == null ? 1 : 0)
        .boxed()
        .flatMap(
            seed -> Stream.of(Arguments.of(Preset.NVLINK, seed), Arguments.of(Preset.PCIE, seed)));
  }

  @Override
  protected MachineUnderTest openMachine() {
    return SimulatedMachine.scheduled(preset, seed);
  }
}
