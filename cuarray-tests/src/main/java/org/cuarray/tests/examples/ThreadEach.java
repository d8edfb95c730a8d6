package org.cuarray.tests.examples;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * A thread for each slab; the calling one for the first.
 *
 * <p>Operations are ordered as they are submitted, so a slab's step may be submitted only when its
 * neighbours have sent their rows of the one before. The threads wait for that, spinning, since a
 * step is over sooner than a thread wakes up.
 */
final class ThreadEach implements Stepping {
  /** More than all steps together: a thread that failed keeps no other waiting. */
  private static final long NOBODY_WAITS = Long.MAX_VALUE / 2;

  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "jacobi");
            thread.setDaemon(true);
            return thread;
          });

  @Override
  public void run(List<Slab> slabs, int steps) {
    AtomicLong submitted = new AtomicLong();
    List<Future<?>> others =
        IntStream.range(1, slabs.size())
            .<Future<?>>mapToObj(
                i -> threads.submit(() -> run(slabs.get(i), steps, submitted, slabs.size())))
            .toList();
    run(slabs.get(0), steps, submitted, slabs.size());
    try {
      for (Future<?> other : others) {
        other.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while other threads submit steps", e);
    }
  }

  private static void run(Slab slab, int steps, AtomicLong submitted, int count) {
    try {
      for (long step = 1; step <= steps; step++) {
        slab.step(submitted::incrementAndGet);
        while (submitted.get() < step * count) {
          Thread.onSpinWait();
        }
      }
    } catch (RuntimeException | Error e) {
      submitted.addAndGet(NOBODY_WAITS);
      throw e;
    }
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}
