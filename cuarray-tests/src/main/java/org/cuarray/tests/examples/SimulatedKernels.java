package org.cuarray.tests.examples;

import java.util.List;
import org.cuarray.driver.simulated.KernelBody;
import org.cuarray.driver.simulated.KernelRun;
import org.cuarray.driver.simulated.SimulatedDriver;

/** What the kernels of the examples do on a simulated machine. */
public final class SimulatedKernels {
  private static final KernelBody JACOBI = run -> jacobi(run);

  private static final KernelBody JACOBI_NORM =
      run -> {
        double squares = jacobi(run);
        long sum = run.nextLong();
        run.putDouble(sum, run.getDouble(sum) + squares);
      };

  /** See {@link PipelineKernel#SOURCE}. */
  private static final KernelBody STAGE =
      run -> {
        long x = run.nextLong();
        long n = run.nextLong();
        float addend = run.nextFloat();
        int rounds = run.nextInt();
        for (long at = x; at < x + n * Float.BYTES; at += Float.BYTES) {
          float value = run.getFloat(at);
          for (int round = 0; round < rounds; round++) {
            value = addend - value;
          }
          run.putFloat(at, value);
        }
      };

  private SimulatedKernels() {}

  /**
   * Teaches a machine the kernels of all examples.
   *
   * @param machine to be built
   * @return the same
   */
  public static SimulatedDriver.Builder addTo(SimulatedDriver.Builder machine) {
    return machine
        .kernel("jacobi", List.of(8, 8, 4, 4), JACOBI)
        .kernel("jacobi_norm", List.of(8, 8, 4, 4, 8), JACOBI_NORM)
        .kernel("stage", List.of(8, 8, 4, 4), STAGE);
  }

  /** See {@link JacobiKernel#SOURCE}. */
  private static double jacobi(KernelRun run) {
    long in = run.nextLong();
    long out = run.nextLong();
    int rows = run.nextInt();
    int columns = run.nextInt();
    long below = (long) columns * Float.BYTES;
    double squares = 0;
    for (int row = 0; row < rows; row++) {
      for (int column = 1; column < columns - 1; column++) {
        long element = ((long) row * columns + column) * Float.BYTES;
        long at = in + element + below;
        float mean =
            0.25f
                * (run.getFloat(at - Float.BYTES)
                    + run.getFloat(at + Float.BYTES)
                    + run.getFloat(at - below)
                    + run.getFloat(at + below));
        float change = mean - run.getFloat(at);
        squares += change * change;
        run.putFloat(out + element, mean);
      }
    }
    return squares;
  }
}
