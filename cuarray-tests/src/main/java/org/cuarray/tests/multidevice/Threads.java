package org.cuarray.tests.multidevice;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Runs things at the same time, one thread each. */
public final class Threads {
  private Threads() {}

  /**
   * Runs all and waits for all.
   *
   * @param actions each on a thread of its own
   * @throws AssertionError the first failure, with the others suppressed in it
   */
  public static void runTogether(List<? extends Runnable> actions) {
    List<FutureTask<Void>> tasks = new ArrayList<>();
    for (Runnable action : actions) {
      FutureTask<Void> task = new FutureTask<>(action, null);
      tasks.add(task);
      Thread thread = new Thread(task, "test-" + tasks.size());
      // A test that hangs is to end in a failure, not to keep the process alive.
      thread.setDaemon(true);
      thread.start();
    }
    AssertionError failure = null;
    for (FutureTask<Void> task : tasks) {
      try {
        task.get();
      } catch (ExecutionException e) {
        if (failure == null) {
          failure = new AssertionError("a thread failed: " + e.getCause(), e.getCause());
        } else {
          failure.addSuppressed(e.getCause());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted while threads were running", e);
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
