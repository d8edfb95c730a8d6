package org.cuarray.cli;

import java.util.Optional;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.javacpp.JavaCppDriver;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;

/** Where the command gets its driver from. */
public interface Drivers {
  /** The real driver's name. */
  String CUDA = "cuda";

  /** What the names of simulated machines begin with. */
  String SIMULATED = "simulated:";

  /**
   * Why the real driver can't be used.
   *
   * @return a paragraph; empty where it can
   */
  Optional<String> cudaUnavailableReason();

  /**
   * The driver of a name.
   *
   * @param name {@code cuda} or {@code simulated:PRESET}
   * @return the driver
   * @throws org.cuarray.CuUnavailableException where it is the real one and can't be used
   * @throws IllegalArgumentException for any other name
   */
  CudaDriver named(String name);

  /**
   * The drivers that there are.
   *
   * @return the real one, and a fresh simulated machine for each request
   */
  static Drivers ofProcess() {
    return new Drivers() {
      @Override
      public Optional<String> cudaUnavailableReason() {
        return JavaCppDriver.unavailableReason();
      }

      @Override
      public CudaDriver named(String name) {
        if (name.equals(CUDA)) {
          return JavaCppDriver.instance();
        }
        if (name.startsWith(SIMULATED)) {
          return SimulatedDriver.of(Preset.named(name.substring(SIMULATED.length())));
        }
        throw new IllegalArgumentException(
            "\"%s\" names no driver: there are %s and %sPRESET".formatted(name, CUDA, SIMULATED));
      }
    };
  }
}
