package org.cuarray.tests.multidevice;

import org.junit.jupiter.params.AfterParameterizedClassInvocation;

/** The multi-device suite on several machines, one after the other; each is checked at its end. */
abstract class SeveralMachinesSuite extends MultiDeviceSuite {

  @AfterParameterizedClassInvocation
  static void closeMachine() {
    closeRig();
  }
}
