package org.cuarray;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.GatedDriver;
import org.cuarray.driver.ShutdownGate;
import org.cuarray.driver.javacpp.JavaCppDriver;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.jspecify.annotations.Nullable;

/**
 * The driver that the property {@code cuarray.driver} or else the variable {@code CUARRAY_DRIVER}
 * names: {@code cuda}, the default, or {@code simulated:PRESET}. Never the simulated machine unless
 * it was asked for.
 */
final class DriverChoice {
  private static final String PROPERTY = "cuarray.driver";
  private static final String VARIABLE = "CUARRAY_DRIVER";
  private static final String SIMULATED = "simulated:";

  /** A process sees one machine, simulated or not. */
  private static final ConcurrentMap<String, CudaDriver> MACHINES = new ConcurrentHashMap<>();

  private DriverChoice() {}

  static CudaDriver driver() {
    String name = name();
    if (name.equals("cuda")) {
      return JavaCppDriver.instance();
    }
    if (name.startsWith(SIMULATED)) {
      return MACHINES.computeIfAbsent(
          name, asked -> machine(Preset.named(asked.substring(SIMULATED.length()))));
    }
    throw new IllegalArgumentException(
        "%s=%s names no driver; it is cuda or simulated:PRESET".formatted(PROPERTY, name));
  }

  /** It ends with the JVM's shutdown, as the real driver does. */
  private static CudaDriver machine(Preset preset) {
    return GatedDriver.around(SimulatedDriver.of(preset), ShutdownGate.ofProcess());
  }

  static Optional<String> unavailableReason() {
    return name().equals("cuda") ? JavaCppDriver.unavailableReason() : Optional.empty();
  }

  private static String name() {
    @Nullable String property = System.getProperty(PROPERTY);
    @Nullable String variable = System.getenv(VARIABLE);
    String name = property != null ? property : variable;
    return name == null || name.isBlank() ? "cuda" : name;
  }
}
