package org.cuarray.tests.examples;

import static org.cuarray.DType.FLOAT32;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.HostArray;
import org.cuarray.cli.bench.Unit;
import org.cuarray.driver.CudaDriver;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Checks and measures {@link Pipeline}. */
@Command(
    name = "pipeline",
    description = "Sends batches from the host through a stage on each of two GPUs and back.")
final class PipelineCommand implements Callable<Integer> {
  private static final int CHECKED_BATCHES = 7;
  private static final int MEASURED_BATCHES = 50;

  @Mixin private ExampleOptions options;

  @Option(
      names = "--size",
      paramLabel = "N",
      defaultValue = "16777216",
      description = "Elements of a batch; ${DEFAULT-VALUE} unless given.")
  private int size;

  @Option(
      names = "--depth",
      paramLabel = "N",
      defaultValue = "4",
      description = "Batches that are on their way at a time; ${DEFAULT-VALUE} unless given.")
  private int depth;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "2001",
      description = "Rounds of work in a stage, an odd number; ${DEFAULT-VALUE} unless given.")
  private int rounds;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (rounds % 2 == 0) {
      throw new IllegalArgumentException(
          "%d rounds, an even number, give back what they were given".formatted(rounds));
    }
    CudaDriver driver = options.openDriver();
    try (CuRuntime cuda = CuRuntime.open(driver);
        PipelineKernel kernel = new PipelineKernel(cuda, rounds)) {
      List<CuDevice> devices = options.devices(cuda);
      ExampleReport report = new ExampleReport(out, devices);
      CuDevice last = devices.get(Math.min(1, devices.size() - 1));
      try (Pipeline pipeline = new Pipeline(cuda, devices.get(0), last, kernel, size, depth)) {
        check(pipeline, kernel, out);
        if (driver.keepsTime()) {
          measure(cuda, pipeline, report);
        }
      }
      report.write(options.report());
    }
    return ExitCode.OK;
  }

  private void check(Pipeline pipeline, PipelineKernel kernel, PrintWriter out) {
    pipeline.run(
        CHECKED_BATCHES,
        (input, batch) -> input.copyFrom(FLOAT32, PipelineBatch.of(batch, size)),
        (output, batch) ->
            PipelineBatch.requireResult(batch, output.toArray(FLOAT32), kernel::reference));
    out.printf(
        "%d batches of %d elements: as in plain Java, in their order%n", CHECKED_BATCHES, size);
    out.flush();
  }

  private void measure(CuRuntime cuda, Pipeline pipeline, ExampleReport report) {
    List<Runnable> runs = new ArrayList<>();
    runs.add(
        () -> pipeline.run(MEASURED_BATCHES, PipelineCommand::leave, PipelineCommand::waitFor));
    for (Runnable step : pipeline.steps()) {
      runs.add(
          () -> {
            step.run();
            cuda.synchronize();
          });
    }
    double[] millis = Medians.of(options.runs(), options.warmUp(), cuda::synchronize, runs);
    double each = millis[0] / MEASURED_BATCHES;
    double[] steps = Arrays.copyOfRange(millis, 1, millis.length);
    String work = "pipeline, batches of %d MiB, %d on their way".formatted(size >> 18, depth);
    report.add(
        work,
        Unit.MILLISECONDS,
        each,
        Arrays.stream(steps).sum(),
        "the same steps one after the other",
        null);
    report.add(
        work,
        Unit.MILLISECONDS,
        each,
        Arrays.stream(steps).max().orElseThrow(),
        "the slowest step alone",
        null);
  }

  /** The batch stays as it is: this is about the devices. */
  private static void leave(HostArray<Float> input, int batch) {}

  private static void waitFor(HostArray<Float> output, int batch) {
    output.synchronize();
  }
}
