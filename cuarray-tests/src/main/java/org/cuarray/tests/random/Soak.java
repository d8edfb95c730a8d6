package org.cuarray.tests.random;

import com.google.common.base.Joiner;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.cuarray.VerifyMode;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;

/**
 * Runs random programs on all simulated presets for as long as wanted: on machines whose streams
 * are eager, and on such as work late and in an odd order and check the order.
 *
 * <p>Arguments: how many programs, and a seed to begin with (else a new one, which is printed). Or
 * {@code replay}, a preset, and the seed of a program that failed on a scheduled machine: repeats
 * it, with the places of its findings, up to a hundred times, since several threads do not run
 * alike.
 */
public final class Soak {
  private static final int RUNS_A_MACHINE = 500;
  private static final int REPLAYS = 100;

  /** Enough for links in both directions and a third party; each link costs a proof per kind. */
  private static final int DEVICES = 3;

  private Soak() {}

  /**
   * The entry point.
   *
   * @param arguments see above
   */
  public static void main(String[] arguments) {
    try (RandomPrograms programs = new RandomPrograms()) {
      if (arguments[0].equals("replay")) {
        replay(programs, Preset.named(arguments[1]), Long.parseLong(arguments[2]));
      } else {
        long wanted = Long.parseLong(arguments[0]);
        soak(programs, wanted, arguments.length > 1 ? Long.parseLong(arguments[1]) : newSeed());
      }
    }
  }

  private static long newSeed() {
    return System.nanoTime();
  }

  private static void soak(RandomPrograms programs, long wanted, long seed) {
    System.out.printf("%d random programs, seeds from %dL on%n", wanted, seed);
    long start = System.nanoTime();
    SplittableRandom seeds = new SplittableRandom(seed);
    Preset[] presets = Preset.values();
    for (long machines = 0, done = 0; done < wanted; machines++) {
      Preset preset = presets[(int) (machines / 2 % presets.length)];
      boolean scheduled = machines % 2 == 1;
      LongStream some = LongStream.generate(seeds::nextLong).limit(RUNS_A_MACHINE);
      done += scheduled ? scheduled(programs, preset, some) : eager(programs, preset, some);
      System.out.printf(
          "%d programs passed, the last on %s with %s streams, %.0f a second%n",
          done,
          preset.presetName(),
          scheduled ? "late" : "eager",
          done / ((System.nanoTime() - start) / 1e9));
    }
  }

  /**
   * Runs programs on a machine whose streams have done their work when a call returns.
   *
   * @param programs runs them
   * @param preset which machine
   * @param seeds one for each run
   * @return how many programs there were
   */
  static long eager(RandomPrograms programs, Preset preset, LongStream seeds) {
    SimulatedDriver machine = SimulatedDriver.of(preset, DEVICES);
    long count = seeds.map(seed -> programs.run(machine, verification(preset), seed)).sum();
    if (!machine.findings().isEmpty()) {
      throw new AssertionError(Joiner.on('\n').join(machine.findings()));
    }
    return count;
  }

  /**
   * Runs programs on a machine whose streams work late.
   *
   * @param programs runs them
   * @param preset which machine
   * @param seeds one for each run
   * @return how many programs there were
   */
  static long scheduled(RandomPrograms programs, Preset preset, LongStream seeds) {
    SimulatedDriver machine = RandomPrograms.machine(preset).withoutPlaces().build();
    RandomPrograms.prove(machine);
    return seeds.map(seed -> programs.runScheduled(machine, verification(preset), seed)).sum();
  }

  private static void replay(RandomPrograms programs, Preset preset, long seed) {
    SimulatedDriver machine = RandomPrograms.machine(preset).build();
    RandomPrograms.prove(machine);
    for (int i = 0; i < REPLAYS; i++) {
      int unused = programs.runScheduled(machine, verification(preset), seed);
    }
    System.out.printf("the program with seed %dL passed %d times%n", seed, REPLAYS);
  }

  /** Only a link that goes bad after its proof needs to be checked each time. */
  public static VerifyMode verification(Preset preset) {
    return preset == Preset.FLIPS_LATER ? VerifyMode.EVERY_COPY : VerifyMode.OFF;
  }
}
