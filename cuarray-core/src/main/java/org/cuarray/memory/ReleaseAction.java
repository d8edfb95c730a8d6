package org.cuarray.memory;

import java.util.concurrent.atomic.AtomicInteger;

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
      block
          .history()
          .whenNotHeld(
              () ->
                  reaper.submit(
                      ReapedFreeing.uses(block), this::run, () -> FailedFree.leave(block)));
    }
  }

  private void run() {
    try {
      action.run();
    } catch (RuntimeException | Error e) {
      LOG.log(System.Logger.Level.WARNING, "the release action of a wrapped pointer failed", e);
    }
  }
}
