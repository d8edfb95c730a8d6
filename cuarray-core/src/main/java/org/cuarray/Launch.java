package org.cuarray;

import org.cuarray.kernel.Geometry;

/**
 * How many threads a kernel is launched with: a grid of blocks of threads, each in up to three
 * directions, and how much shared memory each block gets.
 *
 * <pre>{@code
 * Launch.over(n)                                     // at least n threads, in blocks of 256
 * Launch.of(1, 1).grid(64, 64, 1).block(16, 16, 1)   // an image, in tiles
 * }</pre>
 *
 * <p>Immutable, so a launch can be kept and used again. Whether a device takes it is checked when a
 * kernel is launched with it.
 */
public final class Launch {
  private static final int USUAL_BLOCK = 256;

  private final Geometry geometry;

  private Launch(Geometry geometry) {
    this.geometry = geometry;
  }

  /**
   * At least one thread for each of a number of elements, in blocks of 256. The last block may have
   * threads beyond the last element: kernels check their index against the number.
   *
   * @param n how many elements; for 0 a launch does nothing
   * @return a launch in one direction
   * @throws IllegalArgumentException where {@code n} is negative
   */
  public static Launch over(long n) {
    return over(n, USUAL_BLOCK);
  }

  /**
   * At least one thread for each of a number of elements.
   *
   * @param n how many elements; for 0 a launch does nothing
   * @param block threads of a block; a multiple of 32 wastes none
   * @return a launch in one direction
   * @throws IllegalArgumentException where {@code n} is negative or {@code block} is not positive
   */
  public static Launch over(long n, int block) {
    if (n < 0) {
      throw new IllegalArgumentException("a launch over %d elements".formatted(n));
    }
    if (block < 1) {
      throw new IllegalArgumentException("blocks of %d threads".formatted(block));
    }
    return of(n / block + (n % block == 0 ? 0 : 1), block);
  }

  /**
   * A number of blocks.
   *
   * @param blocks how many; for 0 a launch does nothing
   * @param threads of each block, at least 1
   * @return a launch in one direction, without shared memory
   * @throws IllegalArgumentException where a number is out of its range
   */
  public static Launch of(long blocks, int threads) {
    return new Launch(new Geometry(blocks, 1, 1, threads, 1, 1, 0));
  }

  /**
   * The same with another grid.
   *
   * @param x blocks in x; 0 in any direction is a launch of nothing
   * @param y blocks in y
   * @param z blocks in z
   * @return another launch
   * @throws IllegalArgumentException where one is negative
   */
  public Launch grid(long x, long y, long z) {
    return new Launch(
        new Geometry(
            x, y, z, geometry.blockX(), geometry.blockY(), geometry.blockZ(), sharedBytes()));
  }

  /**
   * The same with other blocks.
   *
   * @param x threads in x, at least 1
   * @param y threads in y, at least 1
   * @param z threads in z, at least 1
   * @return another launch
   * @throws IllegalArgumentException where one is less than 1
   */
  public Launch block(int x, int y, int z) {
    return new Launch(
        new Geometry(geometry.gridX(), geometry.gridY(), geometry.gridZ(), x, y, z, sharedBytes()));
  }

  /**
   * The same with shared memory, {@code extern __shared__} in the kernel. More than the 48 KiB that
   * every kernel may have is asked for at the launch.
   *
   * @param bytes of each block
   * @return another launch
   * @throws IllegalArgumentException where it is negative
   */
  public Launch shared(int bytes) {
    return new Launch(
        new Geometry(
            geometry.gridX(),
            geometry.gridY(),
            geometry.gridZ(),
            geometry.blockX(),
            geometry.blockY(),
            geometry.blockZ(),
            bytes));
  }

  /**
   * The blocks.
   *
   * @return in x, y and z; a copy
   */
  public long[] grid() {
    return new long[] {geometry.gridX(), geometry.gridY(), geometry.gridZ()};
  }

  /**
   * The threads of a block.
   *
   * @return in x, y and z; a copy
   */
  public int[] block() {
    return new int[] {geometry.blockX(), geometry.blockY(), geometry.blockZ()};
  }

  /**
   * The shared memory of a block, besides what the kernel declares itself.
   *
   * @return in bytes
   */
  public int sharedBytes() {
    return geometry.sharedBytes();
  }

  Geometry geometry() {
    return geometry;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Launch launch && launch.geometry.equals(geometry);
  }

  @Override
  public int hashCode() {
    return geometry.hashCode();
  }

  @Override
  public String toString() {
    return geometry.toString();
  }
}
