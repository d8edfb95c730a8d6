package org.cuarray.tests.multidevice;

import org.junit.jupiter.api.Nested;

/**
 * Holds the library to its contract between the devices of a machine, however many there are: the
 * matrix of kinds of memory, pairs of devices and sizes, and many copies at once.
 */
public abstract class MultiDeviceSuite extends ManyCopiesSuite {

  /** For subclasses. */
  protected MultiDeviceSuite() {}

  @Nested
  class Matrix extends CopyMatrix {
    @Override
    MultiDeviceRig openRig() {
      return rig();
    }
  }
}
