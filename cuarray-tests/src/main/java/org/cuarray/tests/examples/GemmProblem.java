package org.cuarray.tests.examples;

import static org.cuarray.DType.FLOAT32;

import java.util.SplittableRandom;
import org.cuarray.CuArray;

/**
 * Two square matrices of small whole numbers. Every sum of their products is a whole number that a
 * float holds exactly, whatever order it is added up in: so a result is right or wrong, and not
 * nearly right.
 *
 * @param size rows, and columns
 */
record GemmProblem(int size) {
  private static final long UPLOADED_AT_ONCE = 1 << 24;

  /** An element by its place. */
  @FunctionalInterface
  interface Element {
    float at(int row, int column);
  }

  int a(int row, int column) {
    return (row * 7 + column * 3 + (row ^ column)) % 5 - 2;
  }

  int b(int row, int column) {
    return (row * 5 + column * 11 + (row & column)) % 7 - 3;
  }

  /** Fills a matrix from the host. */
  static void fill(CuArray<Float> matrix, int firstRow, Element element) {
    int rows = (int) matrix.shape()[0];
    int columns = (int) matrix.shape()[1];
    int atOnce = (int) Math.max(1, UPLOADED_AT_ONCE / columns);
    for (int from = 0; from < rows; from += atOnce) {
      int to = Math.min(from + atOnce, rows);
      float[] elements = new float[(to - from) * columns];
      for (int row = from; row < to; row++) {
        for (int column = 0; column < columns; column++) {
          elements[(row - from) * columns + column] = element.at(firstRow + row, column);
        }
      }
      matrix.slice(from, to).copyFrom(FLOAT32, elements);
    }
  }

  /** An element of the product, in whole numbers. */
  private long c(int row, int column) {
    long sum = 0;
    for (int i = 0; i < size; i++) {
      sum += (long) a(row, i) * b(i, column);
    }
    return sum;
  }

  /**
   * Compares some rows of a product, spread over all, and in each some elements.
   *
   * @param seed of which elements
   * @throws IllegalStateException where one is wrong, with both values
   */
  void requireProduct(Gemm gemm, int rows, int elements, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < rows; i++) {
      int row = (int) ((long) (size - 1) * i / Math.max(1, rows - 1));
      float[] actual = gemm.row(row);
      for (int j = 0; j < elements; j++) {
        int column = random.nextInt(size);
        if (actual[column] != c(row, column)) {
          throw new IllegalStateException(
              "element [%d, %d] of the product of %d x %d is %s and should be %d"
                  .formatted(row, column, size, size, actual[column], c(row, column)));
        }
      }
    }
  }
}
