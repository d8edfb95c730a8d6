package org.cuarray.tests.multidevice;

/** Many copies at once within a device, all of them through the host. */
class StagedCopiesTest extends ManyCopiesSuite {

  @Override
  protected MachineUnderTest openMachine() {
    return SimulatedMachine.staging(1);
  }
}
