package org.cuarray.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Holds the simulated driver to the facts where streams work late and in an odd order, and the
 * facts to the order that they need.
 */
@ParameterizedClass(name = "seed {0}")
@ValueSource(longs = {1, 2, 3})
class SeededDriverConformanceTest extends DriverConformance {
  private final long seed;
  private SimulatedDriver machine;

  SeededDriverConformanceTest(long seed) {
    this.seed = seed;
  }

  @Override
  protected CudaDriver openDriver() {
    machine =
        SimulatedDriver.builder()
            .devices(2)
            .seed(seed)
            .kernel("fact", List.of(8, 4), run -> run.putInt(run.nextLong(), run.nextInt()))
            .build();
    return machine;
  }

  @AfterEach
  void everythingWasInOrder() {
    assertThat(machine.findings()).isEmpty();
  }
}
