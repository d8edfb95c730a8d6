package org.cuarray.tests.multidevice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;

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
    runTogether(actions, Threads::startDaemon);
  }

  /** A test that hangs is to end in a failure, not to keep the process alive. */
  private static Thread startDaemon(Runnable task) {
    Thread thread = new Thread(task, "test");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /**
   * Runs something on a thread of its own, until that waits for another.
   *
   * @param task what must wait
   * @throws AssertionError where it ends without having waited
   */
  public static void startAndAwaitItsWaiting(FutureTask<?> task) {
    Thread thread = startDaemon(task);
    while (thread.getState() != Thread.State.WAITING) {
      assertThat(task).as("it does not wait").isNotDone();
      Thread.onSpinWait();
    }
  }

  /**
   * Runs all on virtual threads and waits for all.
   *
   * @param actions each on a thread of its own
   * @throws AssertionError the first failure, with the others suppressed in it
   */
  public static void runTogetherOnVirtualThreads(List<? extends Runnable> actions) {
    runTogether(actions, VirtualThreads::start);
  }

  private static void runTogether(List<? extends Runnable> actions, Consumer<Runnable> start) {
    List<FutureTask<Void>> tasks = new ArrayList<>();
    for (Runnable action : actions) {
      FutureTask<Void> task = new FutureTask<>(action, null);
      tasks.add(task);
      start.accept(task);
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
