package org.cuarray.tests.multidevice;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;

/**
 * Holds the library to its contract between the devices of a machine, however many there are: the
 * matrix of kinds of memory, pairs of devices and sizes, patterns of many copies, and many threads.
 *
 * <p>A subclass says which machine. It is opened once, so that every link is proved once.
 */
public abstract class MultiDeviceSuite {
  /** JUnit makes an instance a test, and the machine outlives them all. */
  private static MultiDeviceRig rig;

  /** For subclasses. */
  protected MultiDeviceSuite() {}

  /**
   * The machine under test; called once, when the first test needs it.
   *
   * @return a machine that no one else uses meanwhile
   */
  protected abstract MachineUnderTest openMachine();

  private MultiDeviceRig rig() {
    if (rig == null) {
      rig = new MultiDeviceRig(openMachine());
    }
    return rig;
  }

  /** Closes the runtimes; idempotent. */
  @AfterAll
  protected static void closeRig() {
    if (rig != null) {
      rig.close();
      rig = null;
    }
  }

  @Nested
  class Matrix extends CopyMatrix {
    @Override
    MultiDeviceRig openRig() {
      return rig();
    }
  }

  @Nested
  class Patterns extends CopyPatterns {
    @Override
    MultiDeviceRig openRig() {
      return rig();
    }
  }

  @Nested
  class Dependencies extends CopyDependencies {
    @Override
    MultiDeviceRig openRig() {
      return rig();
    }
  }

  @Nested
  class Overlap extends OverlappingCopies {
    @Override
    MultiDeviceRig openRig() {
      return rig();
    }
  }

  @Nested
  class Concurrency extends ConcurrentCopies {
    @Override
    MultiDeviceRig openRig() {
      return rig();
    }
  }

  @Nested
  class Recycling extends RecycledMemory {
    @Override
    MultiDeviceRig openRig() {
      return rig();
    }
  }

  @Nested
  class OnVirtualThreads extends VirtualThreadCopies {
    @Override
    MultiDeviceRig openRig() {
      return rig();
    }
  }
}
