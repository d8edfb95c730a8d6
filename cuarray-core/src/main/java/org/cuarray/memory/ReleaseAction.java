package org.cuarray.memory;

import java.util.concurrent.atomic.AtomicInteger;
import org.cuarray.driver.ShutdownGate;
import org.cuarray.stream.HostWaits;

/**
 * What a producer wants to be told when memory that it lent is no longer used: run once, after the
 * last of the owners that share it has let go and the last use has completed. Thread-safe.
 */
final class ReleaseAction {
  private static final System.Logger LOG = System.getLogger("org.cuarray");

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
    reaper.submit(uses, this::run, this::leave);
  }

  /** At the process's end nobody needs to hear of it. */
  private void leave() {
    LOG.log(
        ShutdownGate.ofProcess().isClosed()
            ? System.Logger.Level.DEBUG
            : System.Logger.Level.WARNING,
        "a wrapped pointer is not released, since its uses could not be waited for");
  }

  private void run() {
    try {
      action.run();
    } catch (RuntimeException | Error e) {
      LOG.log(System.Logger.Level.WARNING, "the release action of a wrapped pointer failed", e);
    }
  }
}
