package org.cuarray.tests.exit;

/** The exit suite on a simulated machine, where the calls that enter the driver are counted. */
class SimulatedExitTest extends ExitSuite {
  @Override
  protected String machine() {
    return "simulated";
  }

  @Override
  protected void requireMachine() {}
}
