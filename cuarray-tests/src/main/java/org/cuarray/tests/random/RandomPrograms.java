package org.cuarray.tests.random;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.cuarray.CuRuntime;
import org.cuarray.VerifyMode;
import org.cuarray.driver.CudaDriver;

/**
 * Runs random programs. A failure says which seed replays it.
 *
 * <p>In one kind of run, one program is handed from thread to thread between its steps, so that
 * every order between two steps crosses threads. In the other, several programs run at once on one
 * runtime, each on arrays of its own, so that they meet in streams, pools, staging slots and locks.
 */
public final class RandomPrograms {
  private static final int STEPS = 60;
  private static final int THREADS = 3;

  private RandomPrograms() {}

  /**
   * Runs one program, or one set of programs.
   *
   * @param driver a machine of two devices or more
   * @param verification for machines whose links go bad after their proof
   * @param seed decides everything
   */
  public static void run(CudaDriver driver, VerifyMode verification, long seed) {
    try (CuRuntime cuda =
        CuRuntime.builder()
            .driver(driver)
            .verify(verification)
            // Small slots, so that arrays of a few KiB take the paths of large ones as well.
            .staging(4 << 10, 2)
            .open()) {
      if (new SplittableRandom(seed).nextBoolean()) {
        handedAround(cuda, seed);
      } else {
        sideBySide(cuda, seed);
      }
    } catch (Throwable e) {
      throw new AssertionError(
          "the random program with seed %dL failed on %s".formatted(seed, driver.description()), e);
    }
  }

  private static void handedAround(CuRuntime cuda, long seed) throws Exception {
    RandomProgram program = new RandomProgram(cuda, seed);
    SplittableRandom turns = new SplittableRandom(~seed);
    List<ExecutorService> threads = new ArrayList<>();
    try {
      for (int i = 0; i < THREADS; i++) {
        threads.add(Executors.newSingleThreadExecutor());
      }
      for (int i = 0; i < STEPS; i++) {
        get(threads.get(turns.nextInt(THREADS)).submit(program::step));
      }
      program.finish();
    } finally {
      threads.forEach(ExecutorService::shutdownNow);
    }
  }

  private static void sideBySide(CuRuntime cuda, long seed) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        RandomProgram program = new RandomProgram(cuda, seed + i);
        running.add(
            threads.submit(
                () -> {
                  for (int step = 0; step < STEPS; step++) {
                    program.step();
                  }
                  program.finish();
                }));
      }
      for (Future<?> one : running) {
        get(one);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void get(Future<?> future) throws Exception {
    try {
      future.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception exception) {
        throw exception;
      }
      throw (Error) e.getCause();
    }
  }
}
