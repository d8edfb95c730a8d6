package org.cuarray.tests.examples;

import org.cuarray.CuArray;

/** Multiplies some columns of a matrix by a panel of as many rows, on one device. */
interface PanelProduct extends AutoCloseable {
  /**
   * {@code c = a[:, firstColumn …] · panel + beta · c}, all row-major.
   *
   * @param a m rows
   * @param firstColumn of those that take part, as many as the panel has rows
   * @param panel k rows of n
   * @param beta 0 where the old values of c do not count
   * @param c m rows of n
   */
  void multiply(
      CuArray<Float> a, long firstColumn, CuArray<Float> panel, float beta, CuArray<Float> c);

  @Override
  void close();
}
