package org.cuarray.memory;

import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The cleaner of forgotten owners, and a way to know that it has worked since a collection. */
final class CleanerPass {
  static final Cleaner CLEANER =
      Cleaner.create(
          runnable -> {
            Thread thread = new Thread(runnable, "cuarray-cleaner");
            thread.setDaemon(true);
            return thread;
          });

  private CleanerPass() {}

  /**
   * Gives the cleaner the chance to run what a collection has just found: a sentinel that became
   * unreachable together with it is cleaned on the same thread. The order among them is open, so
   * this is a chance and no promise.
   */
  static void await(Duration bound) {
    CountDownLatch cleaned = new CountDownLatch(1);
    watchSentinel(cleaned);
    System.gc();
    try {
      boolean unused = cleaned.await(bound.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void watchSentinel(CountDownLatch cleaned) {
    Cleaner.Cleanable unused = CLEANER.register(new Object(), cleaned::countDown);
  }
}
