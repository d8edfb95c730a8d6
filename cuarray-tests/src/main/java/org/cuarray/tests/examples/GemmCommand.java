package org.cuarray.tests.examples;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.cli.bench.Unit;
import org.cuarray.driver.CudaDriver;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Checks and measures {@link Gemm} by cuBLAS. */
@Command(
    name = "gemm",
    description =
        "Multiplies two matrices on all GPUs by cuBLAS; the second one is copied in panels. Needs"
            + " GPUs and libcublas.")
final class GemmCommand implements Callable<Integer> {
  private static final int CHECKED_ROWS = 64;
  private static final int CHECKED_ELEMENTS = 64;

  @Mixin private ExampleOptions options;

  @Option(
      names = "--size",
      paramLabel = "N",
      defaultValue = "16384",
      description = "Rows and columns of the matrices; ${DEFAULT-VALUE} unless given.")
  private int size;

  @Option(
      names = "--panels",
      paramLabel = "N",
      defaultValue = "8",
      description = "Panels of the second matrix; ${DEFAULT-VALUE} unless given.")
  private int panels;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    CudaDriver driver = options.openDriver();
    if (!driver.keepsTime()) {
      throw new IllegalArgumentException("gemm needs GPUs: a simulated machine runs no cuBLAS");
    }
    GemmProblem problem = new GemmProblem(size);
    try (CuRuntime cuda = CuRuntime.open(driver)) {
      List<CuDevice> devices = options.devices(cuda);
      ExampleReport report = new ExampleReport(out, devices);
      try (Gemm one = new Gemm(cuda, devices.subList(0, 1), problem, panels, CublasProduct::new);
          Gemm all = new Gemm(cuda, devices, problem, panels, CublasProduct::new);
          Gemm inOnePiece = new Gemm(cuda, devices, problem, 1, CublasProduct::new)) {
        for (Gemm gemm : List.of(one, all, inOnePiece)) {
          gemm.multiply();
          problem.requireProduct(gemm, CHECKED_ROWS, CHECKED_ELEMENTS, size);
        }
        out.printf(
            "%d elements of three products of %d x %d: as in whole numbers%n",
            CHECKED_ROWS * CHECKED_ELEMENTS, size, size);
        double[] millis =
            Medians.of(
                options.runs(),
                options.warmUp(),
                cuda::synchronize,
                List.of(() -> multiply(one), () -> multiply(all), () -> multiply(inOnePiece)));
        String work = "gemm %dx%d, %d GPUs".formatted(size, size, devices.size());
        report.add(
            work,
            Unit.MILLISECONDS,
            millis[1],
            millis[0] / devices.size(),
            "1 GPU, ideal scaling",
            null);
        report.add(
            "%s, %d panels".formatted(work, panels),
            Unit.MILLISECONDS,
            millis[1],
            millis[2],
            "the copy first, then the product",
            null);
        report.write(options.report());
      }
    }
    return ExitCode.OK;
  }

  private static void multiply(Gemm gemm) {
    gemm.multiply();
    gemm.synchronize();
  }
}
