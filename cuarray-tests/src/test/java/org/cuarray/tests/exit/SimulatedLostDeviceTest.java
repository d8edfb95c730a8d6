package org.cuarray.tests.exit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** The suite of lost devices on a simulated machine, on which the others go on as before. */
class SimulatedLostDeviceTest extends LostDeviceSuite {
  @Override
  protected String machine() {
    return "simulated";
  }

  @Override
  protected void requireMachine() {}

  @Override
  protected void assertOtherDevices(List<String> readings) {
    assertThat(readings).hasSizeGreaterThan(10).allMatch(line -> line.endsWith(": ok"));
  }
}
