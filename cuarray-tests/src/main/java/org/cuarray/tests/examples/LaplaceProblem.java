package org.cuarray.tests.examples;

/**
 * Laplace's equation on a square grid whose outermost elements are given: a sine wave down the left
 * and the right edge, 0 along the upper and the lower one, and 0 inside to begin with.
 *
 * @param size rows, and columns
 */
record LaplaceProblem(int size) {
  LaplaceProblem {
    if (size < 3) {
      throw new IllegalArgumentException(
          "a grid of %d x %d has nothing to compute inside its edges".formatted(size, size));
    }
  }

  /** The first and the last element of a row; the others are 0. */
  float edge(int row) {
    return row == 0 || row == size - 1 ? 0 : (float) Math.sin(2 * Math.PI * row / (size - 1));
  }

  /** Some whole rows as they are to begin with. */
  float[] rows(int from, int to) {
    float[] elements = new float[Math.multiplyExact(to - from, size)];
    for (int row = from; row < to; row++) {
      int first = (row - from) * size;
      elements[first] = edge(row);
      elements[first + size - 1] = edge(row);
    }
    return elements;
  }
}
