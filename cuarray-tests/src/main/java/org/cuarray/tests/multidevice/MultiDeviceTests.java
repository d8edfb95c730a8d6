package org.cuarray.tests.multidevice;

import org.cuarray.CuRuntime;
import org.cuarray.CuScope;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The frame of the suite's tests: the rig, and a scope that ends with each test. */
abstract class MultiDeviceTests {
  MultiDeviceRig rig;
  CuRuntime cuda;
  CuScope scope;

  /** The rig of the suite that the tests belong to. */
  abstract MultiDeviceRig openRig();

  @BeforeEach
  final void open() {
    rig = openRig();
    cuda = rig.cuda();
    scope = cuda.scope();
    rig.recording().clear();
  }

  @AfterEach
  final void giveBack() {
    // Not opened where there is no machine, and the test was skipped.
    if (scope != null) {
      scope.close();
      rig.quiesce();
      rig.recording().clear();
    }
  }
}
