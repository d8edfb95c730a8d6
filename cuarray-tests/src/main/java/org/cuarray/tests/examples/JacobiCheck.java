package org.cuarray.tests.examples;

import java.util.Arrays;
import java.util.function.IntFunction;

/** Compares two solutions, which are the same to the bit wherever they were computed. */
final class JacobiCheck {
  private JacobiCheck() {}

  /**
   * Compares all rows inside the edges.
   *
   * @throws IllegalStateException where an element differs, with both values
   */
  static void requireSame(
      LaplaceProblem problem, IntFunction<float[]> rows, IntFunction<float[]> expectedRows) {
    for (int row = 1; row < problem.size() - 1; row++) {
      float[] actual = rows.apply(row);
      float[] expected = expectedRows.apply(row);
      int column = Arrays.mismatch(actual, expected);
      if (column >= 0) {
        throw new IllegalStateException(
            "element [%d, %d] of %d x %d is %s and should be %s"
                .formatted(
                    row, column, problem.size(), problem.size(), actual[column], expected[column]));
      }
    }
  }
}
