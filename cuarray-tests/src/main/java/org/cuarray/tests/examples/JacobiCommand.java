package org.cuarray.tests.examples;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.driver.CudaDriver;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Checks and measures {@link Jacobi}. */
@Command(
    name = "jacobi",
    description = "Solves Laplace's equation on a grid whose rows are shared by all GPUs.")
final class JacobiCommand implements Callable<Integer> {
  /** Grids up to here are compared with plain Java. */
  private static final int SMALL = 512;

  private static final int CHECKED_STEPS = 50;

  /** So few that the driver takes them all at once. */
  private static final int SUBMITTED_STEPS = 50;

  @Mixin private ExampleOptions options;

  @Option(
      names = "--size",
      paramLabel = "N",
      defaultValue = "16384",
      description = "Rows and columns of the grid; ${DEFAULT-VALUE} unless given.")
  private int size;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Steps; ${DEFAULT-VALUE} unless given.")
  private int iterations;

  @Option(
      names = "--norm-every",
      paramLabel = "N",
      defaultValue = "100",
      description = "Look at the norm of the change in one of so many steps.")
  private int normEvery;

  @Option(
      names = "--edge-rows",
      paramLabel = "N",
      description = "Rows next to a neighbour that are computed first; half of all unless given.")
  private int edgeRows;

  @Option(names = "--threads", description = "Submit from a host thread for each GPU.")
  private boolean threads;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    CudaDriver driver = options.openDriver();
    try (CuRuntime cuda = CuRuntime.open(driver);
        JacobiKernel kernel = new JacobiKernel(cuda)) {
      List<CuDevice> devices = options.devices(cuda);
      ExampleReport report = new ExampleReport(out, devices);
      check(cuda, kernel, devices, out);
      if (driver.keepsTime()) {
        measure(cuda, kernel, devices, report);
      }
      report.write(options.report());
    }
    return ExitCode.OK;
  }

  private Jacobi jacobi(
      CuRuntime cuda, List<CuDevice> devices, JacobiKernel kernel, LaplaceProblem problem) {
    return Jacobi.on(
        cuda,
        devices,
        kernel,
        problem,
        edgeRows == 0 ? EdgeHeight.half() : EdgeHeight.fixed(edgeRows),
        stepping());
  }

  private Stepping stepping() {
    return threads ? new ThreadEach() : Stepping.byOneThread();
  }

  // ---- checks ----------------------------------------------------------------------------------

  private void check(CuRuntime cuda, JacobiKernel kernel, List<CuDevice> devices, PrintWriter out) {
    LaplaceProblem small = new LaplaceProblem(Math.min(size, SMALL));
    JacobiReference reference = new JacobiReference(small);
    try (Jacobi all = jacobi(cuda, devices, kernel, small)) {
      all.run(CHECKED_STEPS, CHECKED_STEPS);
      for (int i = 0; i < CHECKED_STEPS; i++) {
        reference.step();
      }
      JacobiCheck.requireSame(small, all::row, reference::row);
    }
    out.printf(
        "%d steps of %d x %d: as in plain Java%n", CHECKED_STEPS, small.size(), small.size());
    LaplaceProblem large = new LaplaceProblem(size);
    try (Jacobi all = jacobi(cuda, devices, kernel, large);
        Jacobi one = jacobi(cuda, devices.subList(0, 1), kernel, large)) {
      all.run(CHECKED_STEPS, normEvery);
      one.run(CHECKED_STEPS, normEvery);
      JacobiCheck.requireSame(large, all::row, one::row);
    }
    out.printf("%d steps of %d x %d: as on one GPU%n", CHECKED_STEPS, size, size);
    out.flush();
  }

  // ---- times -----------------------------------------------------------------------------------

  private void measure(
      CuRuntime cuda, JacobiKernel kernel, List<CuDevice> devices, ExampleReport report) {
    LaplaceProblem problem = new LaplaceProblem(size);
    try (Jacobi one = jacobi(cuda, devices.subList(0, 1), kernel, problem);
        Jacobi all = jacobi(cuda, devices, kernel, problem);
        Jacobi apart = Jacobi.withoutExchange(cuda, devices, kernel, problem, stepping())) {
      double[] millis =
          Medians.of(
              options.runs(),
              options.warmUp(),
              cuda::synchronize,
              List.of(
                  () -> runAndWait(cuda, one),
                  () -> runAndWait(cuda, all),
                  () -> runAndWait(cuda, apart),
                  () -> all.run(SUBMITTED_STEPS, SUBMITTED_STEPS + 1)));
      new JacobiFigures(
              size,
              iterations,
              normEvery,
              devices.size(),
              millis[0],
              millis[1],
              millis[2],
              millis[3] / SUBMITTED_STEPS)
          .addTo(report);
    }
  }

  private void runAndWait(CuRuntime cuda, Jacobi jacobi) {
    double unused = jacobi.run(iterations, normEvery);
    cuda.synchronize();
  }
}
