package org.cuarray.tests.examples;

import static org.cuarray.DType.FLOAT32;
import static org.cuarray.DType.FLOAT64;

import java.util.ArrayList;
import java.util.List;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuScope;
import org.cuarray.HostArray;

/**
 * The rows of the grid that one device computes, and one more on either side, which is an edge of
 * the grid or a copy of the neighbour's nearest row. There are two arrays of them: a step reads the
 * one and writes the other.
 */
final class Slab {
  private static final long UPLOADED_AT_ONCE = 1 << 24;

  private final JacobiKernel kernel;
  private final int firstRow;
  private final int rows;
  private final CuArray<Float> even;
  private final CuArray<Float> odd;
  private final CuArray<Double> squares;
  private final HostArray<Double> squaresOnHost;
  private final List<Part> fromEven = new ArrayList<>();
  private final List<Part> fromOdd = new ArrayList<>();
  private int edges;
  private boolean isOdd;

  /** Some rows of a step, and those among them that neighbours wait for. */
  private record Part(PreparedLaunch sweep, PreparedLaunch sweepWithNorm, List<Halo> halos) {
    void submit() {
      sweep.launch();
      sendHalos();
    }

    void sendHalos() {
      for (Halo halo : halos) {
        halo.row.copyTo(halo.neighbours);
      }
    }
  }

  /** A row, and the neighbour's copy of it. */
  private record Halo(CuArray<Float> row, CuArray<Float> neighbours) {}

  /**
   * Takes memory on a device, and fills it with what the problem begins with.
   *
   * @param firstRow of those that are computed, counted in the whole grid
   * @param rows how many are computed
   */
  Slab(
      CuScope scope,
      CuDevice device,
      JacobiKernel kernel,
      LaplaceProblem problem,
      int firstRow,
      int rows) {
    this.kernel = kernel;
    this.firstRow = firstRow;
    this.rows = rows;
    even = scope.keep(device.empty(FLOAT32, rows + 2, problem.size()));
    odd = scope.keep(device.empty(FLOAT32, rows + 2, problem.size()));
    squares = scope.keep(device.zeros(FLOAT64, 1));
    squaresOnHost = scope.keep(device.hostArray(FLOAT64, 1));
    int pieces = Math.toIntExact(Math.max(1, UPLOADED_AT_ONCE / problem.size()));
    for (int from = 0; from < rows + 2; from += pieces) {
      int to = Math.min(from + pieces, rows + 2);
      float[] elements = problem.rows(firstRow - 1 + from, firstRow - 1 + to);
      even.slice(from, to).reshape(-1).copyFrom(FLOAT32, elements);
    }
    even.copyTo(odd);
  }

  /**
   * Makes the steps ready: first the rows next to a neighbour, so that they are on their way while
   * the others are computed.
   *
   * @param above the neighbours above: one or none
   * @param below the neighbours below: one or none
   */
  void connect(List<Slab> above, List<Slab> below, EdgeHeight height) {
    int edge = height.of(rows, above.size() + below.size());
    int first = 1;
    int end = rows + 1;
    for (Slab neighbour : above) {
      add(first, first + edge, first, neighbour, neighbour.rows + 1);
      first += edge;
    }
    for (Slab neighbour : below) {
      add(end - edge, end, end - 1, neighbour, 0);
      end -= edge;
    }
    if (first < end) {
      fromEven.add(part(even, odd, first, end, List.of()));
      fromOdd.add(part(odd, even, first, end, List.of()));
    }
  }

  private void add(int from, int to, int sent, Slab neighbour, int received) {
    edges++;
    fromEven.add(part(even, odd, from, to, List.of(halo(odd, sent, neighbour.odd, received))));
    fromOdd.add(part(odd, even, from, to, List.of(halo(even, sent, neighbour.even, received))));
  }

  private Part part(CuArray<Float> in, CuArray<Float> out, int from, int to, List<Halo> halos) {
    CuArray<Float> read = in.slice(from - 1, to + 1);
    CuArray<Float> written = out.slice(from, to);
    return new Part(kernel.sweep(read, written), kernel.sweep(read, written, squares), halos);
  }

  private static Halo halo(CuArray<Float> from, int row, CuArray<Float> to, int received) {
    return new Halo(from.slice(row, row + 1), to.slice(received, received + 1));
  }

  private List<Part> nextStep() {
    List<Part> parts = isOdd ? fromOdd : fromEven;
    isOdd = !isOdd;
    return parts;
  }

  /** One step of these rows; submits it and waits for nothing. */
  void step() {
    List<Part> parts = nextStep();
    parts.forEach(Part::submit);
  }

  /**
   * Likewise, for a thread that is not the neighbours' one.
   *
   * @param sent what to do as soon as the rows for the neighbours are on their way: they may go on
   *     to the next step
   */
  void step(Runnable sent) {
    List<Part> parts = nextStep();
    parts.subList(0, edges).forEach(Part::submit);
    sent.run();
    parts.subList(edges, parts.size()).forEach(Part::submit);
  }

  /** One step, in which the squares of the changes are added up. */
  void stepWithNorm() {
    squares.fill((Double) 0.0);
    for (Part part : nextStep()) {
      part.sweepWithNorm.launch();
      part.sendHalos();
    }
    squares.copyTo(squaresOnHost);
  }

  /** The sum of the last {@link #stepWithNorm}; waits for it. */
  double squares() {
    return squaresOnHost.get(0);
  }

  /** Whether a row of the grid is computed here. */
  boolean computes(int row) {
    return row >= firstRow && row < firstRow + rows;
  }

  /** A row of the grid that is computed here; waits for it. */
  float[] row(int row) {
    CuArray<Float> current = isOdd ? odd : even;
    int index = row - firstRow + 1;
    return current.slice(index, index + 1).toArray(FLOAT32);
  }
}
