package org.cuarray.tests.examples;

import java.util.ArrayList;
import java.util.List;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.CuScope;

/**
 * Solves Laplace's equation by the Jacobi method, on any number of devices: each computes some rows
 * and, in every step, sends its outermost ones to its neighbours.
 *
 * <p>Nothing here says what waits for what. Kernels declare the rows that they read and write, and
 * copies are of rows; so a step of a device begins when its neighbours' rows have arrived, and they
 * travel while it computes the others.
 */
final class Jacobi implements AutoCloseable {
  private final CuScope scope;
  private final List<Slab> slabs = new ArrayList<>();
  private final Stepping stepping;

  private Jacobi(
      CuRuntime cuda,
      List<CuDevice> devices,
      JacobiKernel kernel,
      LaplaceProblem problem,
      Stepping stepping) {
    this.stepping = stepping;
    int inner = problem.size() - 2;
    int count = devices.size();
    if (count > 1 && inner < 2 * count) {
      throw new IllegalArgumentException(
          "%d rows inside the edges of a grid of %d are not two for each of %d devices"
              .formatted(inner, problem.size(), count));
    }
    scope = cuda.scope();
    for (int i = 0; i < count; i++) {
      int first = 1 + (int) ((long) inner * i / count);
      int end = 1 + (int) ((long) inner * (i + 1) / count);
      slabs.add(new Slab(scope, devices.get(i), kernel, problem, first, end - first));
    }
  }

  /**
   * Makes a problem ready.
   *
   * @param devices that share it, of the runtime
   * @throws IllegalArgumentException where a device would get fewer than two rows
   */
  static Jacobi on(
      CuRuntime cuda,
      List<CuDevice> devices,
      JacobiKernel kernel,
      LaplaceProblem problem,
      EdgeHeight edges,
      Stepping stepping) {
    Jacobi jacobi = new Jacobi(cuda, devices, kernel, problem, stepping);
    for (int i = 0; i < devices.size(); i++) {
      jacobi.slabs.get(i).connect(jacobi.neighbour(i - 1), jacobi.neighbour(i + 1), edges);
    }
    return jacobi;
  }

  /** The same work without any exchange: no solution, but what the exchange is measured by. */
  static Jacobi withoutExchange(
      CuRuntime cuda,
      List<CuDevice> devices,
      JacobiKernel kernel,
      LaplaceProblem problem,
      Stepping stepping) {
    Jacobi jacobi = new Jacobi(cuda, devices, kernel, problem, stepping);
    for (Slab slab : jacobi.slabs) {
      slab.connect(List.of(), List.of(), EdgeHeight.half());
    }
    return jacobi;
  }

  private List<Slab> neighbour(int index) {
    return index >= 0 && index < slabs.size() ? List.of(slabs.get(index)) : List.of();
  }

  /**
   * Makes steps. Each norm is looked at when the steps up to the next one have been submitted, so
   * that no device runs out of work meanwhile.
   *
   * @param normEvery in how many steps the norm is looked at once; the last step of all, if their
   *     number is a multiple of it
   * @return the Euclidean norm of the change in the last step that it was looked at; NaN for none
   */
  double run(int steps, int normEvery) {
    double norm = Double.NaN;
    boolean isNormDue = false;
    for (int done = 0; done < steps; ) {
      int silent = Math.min(normEvery - 1, steps - done);
      stepping.run(slabs, silent);
      done += silent;
      if (isNormDue) {
        norm = norm();
        isNormDue = false;
      }
      if (done < steps) {
        slabs.forEach(Slab::stepWithNorm);
        isNormDue = true;
        done++;
      }
    }
    return isNormDue ? norm() : norm;
  }

  private double norm() {
    return Math.sqrt(slabs.stream().mapToDouble(Slab::squares).sum());
  }

  /** A row inside the edges as it is after the last step; waits for it. */
  float[] row(int row) {
    return slabs.stream().filter(slab -> slab.computes(row)).findFirst().orElseThrow().row(row);
  }

  @Override
  public void close() {
    stepping.close();
    scope.close();
  }
}
