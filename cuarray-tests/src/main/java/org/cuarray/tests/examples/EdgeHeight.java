package org.cuarray.tests.examples;

/** How many rows next to a neighbour are computed before the rest of a slab. */
@FunctionalInterface
interface EdgeHeight {
  /**
   * Chooses.
   *
   * @param rows of the slab
   * @param neighbours 0 to 2
   * @return so few that the edges of all neighbours find room; 1 or more
   */
  int of(int rows, int neighbours);

  /** Half of the slab, so that the other half lasts while the rows travel. */
  static EdgeHeight half() {
    return (rows, neighbours) -> Math.max(1, rows / Math.max(1, 2 * neighbours));
  }

  /** A given number, where there is room. */
  static EdgeHeight fixed(int height) {
    return (rows, neighbours) -> Math.min(height, rows / Math.max(1, neighbours));
  }
}
