package org.cuarray.tests.multidevice;

import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The multi-device suite on one device, and on more than the presets have, all of them linked. The
 * machine of sixteen, where a device has fewer peers than there are, is among the presets.
 */
@ParameterizedClass(name = "{0} devices")
@ValueSource(ints = {1, 4, 8})
class MachineSizesTest extends SeveralMachinesSuite {
  private final int devices;

  MachineSizesTest(int devices) {
    this.devices = devices;
  }

  @Override
  protected MachineUnderTest openMachine() {
    return SimulatedMachine.linked(devices);
  }
}
