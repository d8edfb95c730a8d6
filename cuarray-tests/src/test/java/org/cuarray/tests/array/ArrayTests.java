package org.cuarray.tests.array;

import static org.assertj.core.api.Assertions.assertThat;

import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.CuScope;
import org.cuarray.driver.RecordingDriver;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.api.AfterEach;

/** The frame of the tests of arrays: two devices, recorded, and nothing left behind. */
abstract class ArrayTests {
  final SimulatedDriver machine = SimulatedDriver.of(Preset.PCIE, 2);
  final RecordingDriver recording = new RecordingDriver(machine);
  final CuRuntime cuda = CuRuntime.open(recording.driver());
  final CuDevice gpu0 = cuda.device(0);
  final CuDevice gpu1 = cuda.device(1);
  final CuScope scope = cuda.scope();

  @AfterEach
  final void everythingIsGivenBack() {
    scope.close();
    cuda.close();
    assertThat(machine.findings()).isEmpty();
  }
}
