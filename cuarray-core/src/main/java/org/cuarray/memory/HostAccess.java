package org.cuarray.memory;

import org.cuarray.stream.AccessMode;
import org.cuarray.stream.Hold;
import org.cuarray.stream.HostWaits;
import org.cuarray.stream.Operation;

/** Lets Java's own thread read or write pinned memory in its place in the order. */
public final class HostAccess {
  private HostAccess() {}

  /**
   * Waits for whatever conflicts, then runs something while nothing that conflicts can start.
   *
   * @param region of pinned memory
   * @param mode what the action does to the region
   */
  public static void with(Region region, AccessMode mode, Runnable action) {
    Hold hold;
    HostWaits waits;
    Operation step = Operation.begin();
    try {
      int access = region.touchedBy(step, mode);
      step.lock();
      region.requireOpen();
      step.after(access);
      waits = step.intoHostWaits();
      hold = step.hold(access, "an access of the host to " + region);
    } finally {
      step.end();
    }
    try {
      waits.awaitBusily();
      action.run();
    } finally {
      hold.release();
    }
  }

  /** Waits for everything submitted on a region so far. */
  public static void synchronize(Region region) {
    HostWaits waits;
    Operation step = Operation.begin();
    try {
      int access = region.touchedBy(step, AccessMode.WRITE);
      step.lock();
      region.requireOpen();
      step.after(access);
      waits = step.intoHostWaits();
    } finally {
      step.end();
    }
    waits.awaitBusily();
  }
}
