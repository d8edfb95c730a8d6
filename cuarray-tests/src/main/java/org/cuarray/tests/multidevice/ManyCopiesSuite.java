package org.cuarray.tests.multidevice;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;

/**
 * Holds the library to its contract where many copies are under way at once, between the devices of
 * a machine or within its only one: patterns, order, overlap, many threads, and memory that is used
 * again.
 *
 * <p>A subclass says which machine. It is opened once, so that every link is proved once.
 */
public abstract class ManyCopiesSuite {
  /** JUnit makes an instance a test, and the machine outlives them all. */
  private static MultiDeviceRig rig;

  /** For subclasses. */
  protected ManyCopiesSuite() {}

  /**
   * The machine under test; called once, when the first test needs it.
   *
   * @return a machine that no one else uses meanwhile
   */
  protected abstract MachineUnderTest openMachine();

  final MultiDeviceRig rig() {
    if (rig == null) {
      rig = new MultiDeviceRig(openMachine());
    }
    return rig;
  }

  /** Closes the runtimes, and lets the machine say what was misused; idempotent. */
  @AfterAll
  static void closeRig() {
    if (rig != null) {
      MultiDeviceRig closing = rig;
      rig = null;
      closing.close();
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
