package org.cuarray.tests.examples;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.javacpp.JavaCppDriver;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import picocli.CommandLine.Option;

/** The options that all examples have. */
final class ExampleOptions {
  private static final String CUDA = "cuda";
  private static final String SIMULATED = "simulated:";

  @Option(
      names = "--driver",
      paramLabel = "NAME",
      defaultValue = CUDA,
      description =
          "cuda, or simulated:PRESET for a simulated machine; ${DEFAULT-VALUE} unless given.")
  private String driver;

  @Option(
      names = "--gpus",
      paramLabel = "N",
      description = "How many GPUs take part; all unless given.")
  private int gpus;

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "5",
      description = "Times are medians of so many runs; ${DEFAULT-VALUE} unless given.")
  private int runs;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      defaultValue = "5",
      description =
          "How long everything runs before it is measured; ${DEFAULT-VALUE} unless given.")
  private int warmUp;

  @Option(names = "--report", paramLabel = "FILE", description = "Write the figures as JSON.")
  private Path report;

  @Option(names = "--help", usageHelp = true, description = "Show this and exit.")
  @SuppressWarnings("unused") // picocli looks for its annotation
  private boolean help;

  /** The driver that was asked for; a simulated one knows the kernels of the examples. */
  CudaDriver openDriver() {
    if (driver.startsWith(SIMULATED)) {
      Preset preset = Preset.named(driver.substring(SIMULATED.length()));
      return SimulatedKernels.addTo(SimulatedDriver.builder().preset(preset)).build();
    }
    if (!driver.equals(CUDA)) {
      throw new IllegalArgumentException(
          "\"%s\" names no driver: there are %s and %sPRESET".formatted(driver, CUDA, SIMULATED));
    }
    return JavaCppDriver.instance();
  }

  /** The devices that take part. */
  List<CuDevice> devices(CuRuntime cuda) {
    int there = cuda.devices().size();
    if (gpus > there) {
      throw new IllegalArgumentException(
          "%d GPUs were asked for, and there are %d".formatted(gpus, there));
    }
    return IntStream.range(0, gpus == 0 ? there : gpus).mapToObj(cuda::device).toList();
  }

  int runs() {
    return runs;
  }

  Duration warmUp() {
    return Duration.ofSeconds(warmUp);
  }

  /** Where the figures go; null for nowhere. */
  Path report() {
    return report;
  }
}
