package org.cuarray.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.api.AfterEach;

/** The facts that need no second device, on a machine that has none. */
class OneDeviceConformanceTest extends DriverConformance {
  private SimulatedDriver machine = SimulatedDriver.builder().devices(1).build();

  @Override
  protected CudaDriver openDriver() {
    machine =
        SimulatedDriver.builder()
            .devices(1)
            .kernel("fact", List.of(8, 4), run -> run.putInt(run.nextLong(), run.nextInt()))
            .build();
    return machine;
  }

  @AfterEach
  void everyTestGaveBackWhatItTook() {
    assertThat(machine.findings()).isEmpty();
  }
}
