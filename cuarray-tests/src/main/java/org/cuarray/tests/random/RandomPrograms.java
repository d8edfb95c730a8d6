package org.cuarray.tests.random;

import static org.cuarray.DType.INT32;

import com.google.common.base.Joiner;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.cuarray.AllocatorKind;
import org.cuarray.CopyPlan;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.CuScope;
import org.cuarray.VerifyMode;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.jspecify.annotations.Nullable;

/**
 * Runs random programs on threads of its own. A failure says which seed replays it.
 *
 * <p>In one kind of run, one program is handed from thread to thread between its steps, so that
 * orders between two steps cross threads. In the other, several programs run at once on one
 * runtime, each on arrays of its own, so that they meet in streams, pools, staging slots and locks.
 * To be used by one thread at a time.
 */
public final class RandomPrograms implements AutoCloseable {
  private static final int STEPS = 60;
  private static final int THREADS = 3;

  /** Steps that one thread does in a row; each hand-over costs as much as several of them. */
  private static final int LONGEST_TURN = 5;

  /** Small slots, so that arrays of a few KiB take the paths of large ones as well. */
  private static final int SLOT = 4 << 10;

  private final List<ExecutorService> threads = new ArrayList<>();

  /** Starts the threads. */
  public RandomPrograms() {
    for (int i = 0; i < THREADS; i++) {
      threads.add(Executors.newSingleThreadExecutor());
    }
  }

  @Override
  public void close() {
    threads.forEach(ExecutorService::shutdownNow);
  }

  /**
   * Runs one program, or one set of programs.
   *
   * @param driver a machine of two devices or more
   * @param verification for machines whose links go bad after their proof
   * @param seed decides everything
   * @return how many programs there were
   */
  public int run(CudaDriver driver, VerifyMode verification, long seed) {
    try (CuRuntime cuda = open(driver, verification)) {
      return run(cuda, null, seed);
    } catch (Throwable e) {
      throw new AssertionError(
          "the random program with seed %dL failed on %s".formatted(seed, driver.description()), e);
    }
  }

  /**
   * Runs one program, or one set of programs, on a machine whose streams work late and in an odd
   * order, among kernels and leases. There may be no finding afterwards.
   *
   * @param machine as {@link #machine} gives it, proved, and with nothing to do
   * @param verification for machines whose links go bad after their proof
   * @param seed decides everything, the machine's scheduler included
   * @return how many programs there were
   */
  public int runScheduled(SimulatedDriver machine, VerifyMode verification, long seed) {
    machine.reseed(seed);
    int programs;
    try (CuRuntime cuda = open(machine, verification);
        ForeignWork others = ForeignWork.on(machine, cuda)) {
      programs = run(cuda, others, seed);
    } catch (Throwable e) {
      throw failure(machine, seed, e);
    }
    if (!machine.findings().isEmpty()) {
      throw failure(machine, seed, new AssertionError(Joiner.on('\n').join(machine.findings())));
    }
    return programs;
  }

  private static AssertionError failure(SimulatedDriver machine, long seed, Throwable cause) {
    String preset = machine.description().substring("simulated:".length());
    return new AssertionError(
        "the random program with seed %dL failed on a scheduled %s; repeat it with -P soak -Dsoak=\"replay %s %d\""
            .formatted(seed, machine.description(), preset, seed),
        cause);
  }

  /**
   * A machine for {@link #runScheduled}.
   *
   * @param preset which; of machines on which every pair of devices has links to be proved, two
   *     devices, since a proof takes longer than a hundred programs
   * @return not seeded by anything that matters
   */
  public static SimulatedDriver.Builder machine(Preset preset) {
    int devices =
        switch (preset) {
          case PCIE, MIG -> 3;
          case MIXED -> 4;
          default -> 2;
        };
    return ForeignWork.withKernel(
        SimulatedDriver.builder().preset(preset).devices(devices).seed(0));
  }

  /**
   * Proves every link of a machine, so that programs can be repeated alone.
   *
   * @param machine whose devices have not been used yet
   */
  public static void prove(SimulatedDriver machine) {
    try (CuRuntime cuda = open(machine, VerifyMode.OFF);
        CuScope scope = cuda.scope()) {
      List<CuArray<Integer>> arrays = new ArrayList<>();
      for (CuDevice device : cuda.devices()) {
        arrays.add(scope.keep(device.zeros(INT32, 1)));
        arrays.add(scope.keep(device.using(AllocatorKind.CLASSIC).zeros(INT32, 1)));
      }
      for (CuArray<Integer> source : arrays) {
        for (CuArray<Integer> destination : arrays) {
          CopyPlan unused = source.planCopyTo(destination);
        }
      }
    }
  }

  private static CuRuntime open(CudaDriver driver, VerifyMode verification) {
    return CuRuntime.builder().driver(driver).verify(verification).staging(SLOT, 2).open();
  }

  private int run(CuRuntime cuda, @Nullable ForeignWork others, long seed) throws Exception {
    return new SplittableRandom(seed).nextBoolean()
        ? handedAround(cuda, others, seed)
        : sideBySide(cuda, others, seed);
  }

  private int handedAround(CuRuntime cuda, @Nullable ForeignWork others, long seed)
      throws Exception {
    RandomProgram program = new RandomProgram(cuda, others, seed);
    SplittableRandom turns = new SplittableRandom(~seed);
    for (int left = STEPS; left > 0; ) {
      int turn = Math.min(left, 1 + turns.nextInt(LONGEST_TURN));
      get(threads.get(turns.nextInt(THREADS)).submit(() -> steps(program, turn)));
      left -= turn;
    }
    program.finish();
    return 1;
  }

  private int sideBySide(CuRuntime cuda, @Nullable ForeignWork others, long seed) throws Exception {
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      RandomProgram program = new RandomProgram(cuda, others, seed + i);
      running.add(
          threads
              .get(i)
              .submit(
                  () -> {
                    steps(program, STEPS);
                    program.finish();
                  }));
    }
    for (Future<?> one : running) {
      get(one);
    }
    return THREADS;
  }

  private static void steps(RandomProgram program, int count) {
    for (int i = 0; i < count; i++) {
      program.step();
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
