package org.cuarray.tests.random;

import java.util.SplittableRandom;
import org.cuarray.VerifyMode;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;

/**
 * Runs random programs on all simulated presets for as long as wanted.
 *
 * <p>Arguments: how many programs, and a seed to begin with (else a new one, which is printed).
 */
public final class Soak {
  private static final int PROGRAMS_A_MACHINE = 500;

  private Soak() {}

  /**
   * The entry point.
   *
   * @param arguments number of programs, and optionally a seed
   */
  public static void main(String[] arguments) {
    long programs = Long.parseLong(arguments[0]);
    long seed = arguments.length > 1 ? Long.parseLong(arguments[1]) : System.nanoTime();
    System.out.printf("%d random programs, seeds from %dL on%n", programs, seed);
    SplittableRandom seeds = new SplittableRandom(seed);
    Preset[] presets = Preset.values();
    for (long done = 0; done < programs; ) {
      Preset preset = presets[(int) (done / PROGRAMS_A_MACHINE % presets.length)];
      SimulatedDriver machine = SimulatedDriver.of(preset);
      for (int i = 0; i < PROGRAMS_A_MACHINE && done < programs; i++, done++) {
        RandomPrograms.run(machine, verification(preset), seeds.nextLong());
      }
      System.out.printf("%d programs passed, last on %s%n", done, preset.presetName());
    }
  }

  /** Only a link that goes bad after its proof needs to be checked each time. */
  public static VerifyMode verification(Preset preset) {
    return preset == Preset.FLIPS_LATER ? VerifyMode.EVERY_COPY : VerifyMode.OFF;
  }
}
