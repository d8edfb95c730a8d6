package org.cuarray.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Optional;
import org.cuarray.CuRuntime;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.simulated.Preset;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Which driver a command runs on. The library never takes the simulated machine unless it is asked
 * for; the command does where there is no real one, and says so in its first line.
 */
final class DriverOption {
  /** What runs where there is no usable driver. */
  static final String SUBSTITUTE = Drivers.SIMULATED + Preset.NVLINK.presetName();

  /** For {@code --help}. */
  private static final class PresetNames extends ArrayList<String> {
    PresetNames() {
      super(Arrays.stream(Preset.values()).map(Preset::presetName).toList());
    }
  }

  private final Drivers drivers;

  @Option(
      names = "--driver",
      paramLabel = "NAME",
      defaultValue = "${sys:cuarray.driver:-${env:CUARRAY_DRIVER}}",
      showDefaultValue = Visibility.NEVER,
      completionCandidates = PresetNames.class,
      description = {
        "cuda, or simulated:PRESET for a simulated machine, where PRESET is one of"
            + " ${COMPLETION-CANDIDATES}.",
        "Without it, the property cuarray.driver or the variable CUARRAY_DRIVER names the driver;"
            + " without any of them it is cuda, or a simulated machine where that can't be used."
      })
  private @Nullable String name;

  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init") // picocli sets it
  private CommandSpec command;

  DriverOption(Drivers drivers) {
    this.drivers = drivers;
  }

  /** Opens the machine, and says where it is a simulated one. */
  Machine open(PrintWriter out) {
    CudaDriver driver = choose(out);
    return new Machine(CuRuntime.open(driver), driver.description());
  }

  /** Finds the driver, and says where it is that of a simulated machine. */
  CudaDriver choose(PrintWriter out) {
    String asked = name == null ? "" : name.strip();
    Optional<String> missing = asked.isEmpty() ? drivers.cudaUnavailableReason() : Optional.empty();
    String chosen = !asked.isEmpty() ? asked : missing.isPresent() ? SUBSTITUTE : Drivers.CUDA;
    CudaDriver driver = driver(chosen);
    if (driver.description().startsWith(Drivers.SIMULATED)) {
      out.printf(
          "SIMULATED MACHINE: %s. Everything below happens in memory of this JVM; bandwidths mean"
              + " nothing.%n",
          missing
              .map(reason -> "no usable CUDA driver here (%s)".formatted(firstSentence(reason)))
              .orElse(driver.description() + ", as asked for"));
    }
    if (missing.isPresent()) {
      out.println("--driver cuda says how to get a driver.");
    }
    return driver;
  }

  private CudaDriver driver(String chosen) {
    try {
      return drivers.named(chosen);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), Failures.message(e), e);
    }
  }

  /** Full stops inside the names of files are followed by no capital letter. */
  private static String firstSentence(String paragraph) {
    return paragraph.split("\\.\\s+(?=\\p{Lu})", 2)[0].replaceAll("\\.$", "");
  }
}
