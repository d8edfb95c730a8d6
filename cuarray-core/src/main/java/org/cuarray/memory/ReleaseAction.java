package org.cuarray.memory;

import java.util.concurrent.atomic.AtomicInteger;
import org.cuarray.driver.DriverStatus;
import org.cuarray.stream.HostWaits;

/**
 * What a producer wants to be told when memory that it lent is no longer used: run once, after the
 * last of the owners that share it has let go and the last use has completed. Thread-safe.
 */
final class ReleaseAction {
  private final AtomicInteger owners = new AtomicInteger(1);
  private final Reaper reaper;
  private final Runnable action;

  ReleaseAction(Reaper reaper, Runnable action) {
    this.reaper = reaper;
    this.action = action;
  }

  ReleaseAction share() {
    owners.incrementAndGet();
    return this;
  }

  /** One of the owners lets go, of a block that may be held under a lease. */
  void drop(Block block) {
    if (owners.decrementAndGet() == 0) {
      block.history().whenNotHeld(() -> runAfter(ReapedFreeing.uses(block)));
    }
  }

  private void runAfter(HostWaits uses) {
    reaper.submit(
        uses,
        () -> {
          if (haveEnded(uses)) {
            run();
          }
        });
  }

  /** They have been waited for; at the process's end in vain, and then the memory stays lent. */
  private static boolean haveEnded(HostWaits uses) {
    try {
      uses.await();
      return true;
    } catch (RuntimeException e) {
      return !DriverStatus.isShutdown(e);
    }
  }

  private void run() {
    try {
      action.run();
    } catch (RuntimeException e) {
      System.getLogger("org.cuarray")
          .log(System.Logger.Level.WARNING, "the release action of a wrapped pointer failed", e);
    }
  }
}
