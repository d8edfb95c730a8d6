package org.cuarray.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.driver.CudaError.NOT_INITIALIZED;
import static org.cuarray.tests.conformance.DriverRig.expect;
import static org.cuarray.tests.conformance.DriverRig.ok;

import java.util.List;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Holds the simulated driver to the facts. */
class SimulatedDriverConformanceTest extends DriverConformance {
  private SimulatedDriver machine = SimulatedDriver.of(Preset.NVLINK, 2);

  @Override
  protected CudaDriver openDriver() {
    machine =
        SimulatedDriver.builder()
            .devices(2)
            .kernel("fact", List.of(8, 4), run -> run.putInt(run.nextLong(), run.nextInt()))
            .build();
    return machine;
  }

  @AfterEach
  void everyTestGaveBackWhatItTook() {
    int[] active = new int[1];
    ok(machine.init(0));
    assertThat(machine.findings()).isEmpty();
    for (int device = 0; device < 2; device++) {
      ok(machine.devicePrimaryCtxGetState(device, new int[1], active));
      assertThat(active[0]).isZero();
    }
  }

  /** Here alone: a process has one {@code cuInit}, and the real driver's has been called. */
  @Test
  void beforeInitNothingButTheVersionIsAnswered() {
    int[] version = new int[1];
    ok(machine.driverGetVersion(version));
    assertThat(version[0]).isEqualTo(13000);
    expect(NOT_INITIALIZED, machine.memAlloc(new long[1], 16));
    expect(NOT_INITIALIZED, machine.deviceGetCount(new int[1]));
    ok(machine.init(0));
    ok(machine.deviceGetCount(new int[1]));
  }
}
