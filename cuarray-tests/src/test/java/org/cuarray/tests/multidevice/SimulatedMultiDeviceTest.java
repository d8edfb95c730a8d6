package org.cuarray.tests.multidevice;

import org.cuarray.driver.simulated.Preset;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * The multi-device suite on every simulated machine, liars included: whatever their links do, no
 * copy gives a wrong byte. {@link Preset#FLIPS_LATER} has {@link FlippingLinkTest}.
 */
@ParameterizedClass(name = "{0}")
@EnumSource(mode = Mode.EXCLUDE, names = "FLIPS_LATER")
class SimulatedMultiDeviceTest extends SeveralMachinesSuite {
  private final Preset preset;

  SimulatedMultiDeviceTest(Preset preset) {
    this.preset = preset;
  }

  @Override
  protected MachineUnderTest openMachine() {
    return SimulatedMachine.eager(preset);
  }
}
