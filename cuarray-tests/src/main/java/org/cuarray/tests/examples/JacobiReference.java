package org.cuarray.tests.examples;

/** The Jacobi method in plain Java, adding in the order of the kernel: the same bits come out. */
final class JacobiReference {
  private final int size;
  private float[] current;
  private float[] next;

  JacobiReference(LaplaceProblem problem) {
    size = problem.size();
    current = problem.rows(0, size);
    next = current.clone();
  }

  /** One step; gives the Euclidean norm of the change. */
  double step() {
    double squares = 0;
    for (int row = 1; row < size - 1; row++) {
      for (int at = row * size + 1; at < (row + 1) * size - 1; at++) {
        float mean =
            0.25f * (current[at - 1] + current[at + 1] + current[at - size] + current[at + size]);
        float change = mean - current[at];
        squares += change * change;
        next[at] = mean;
      }
    }
    float[] before = current;
    current = next;
    next = before;
    return Math.sqrt(squares);
  }

  float[] row(int row) {
    return java.util.Arrays.copyOfRange(current, row * size, (row + 1) * size);
  }
}
