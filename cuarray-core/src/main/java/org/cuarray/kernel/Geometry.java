package org.cuarray.kernel;

/**
 * How many threads a launch has and how they are grouped. Immutable.
 *
 * @param gridX blocks in x; 0 in any direction is a launch of nothing
 * @param gridY blocks in y
 * @param gridZ blocks in z
 * @param blockX threads of a block in x, at least 1
 * @param blockY threads of a block in y, at least 1
 * @param blockZ threads of a block in z, at least 1
 * @param sharedBytes shared memory of each block, besides what the kernel declares itself
 */
public record Geometry(
    long gridX, long gridY, long gridZ, int blockX, int blockY, int blockZ, int sharedBytes) {

  /**
   * Checks what needs no device to be wrong.
   *
   * @throws IllegalArgumentException where a number is negative, or a block has no thread
   */
  public Geometry {
    if (gridX < 0 || gridY < 0 || gridZ < 0) {
      throw new IllegalArgumentException(
          "a grid of [%d, %d, %d] blocks is negative".formatted(gridX, gridY, gridZ));
    }
    if (blockX < 1 || blockY < 1 || blockZ < 1) {
      throw new IllegalArgumentException(
          "a block of [%d, %d, %d] threads has none".formatted(blockX, blockY, blockZ));
    }
    if (sharedBytes < 0) {
      throw new IllegalArgumentException(
          "shared memory of %d bytes is negative".formatted(sharedBytes));
    }
  }

  /** Whether there is nothing to run. */
  public boolean isEmpty() {
    return gridX == 0 || gridY == 0 || gridZ == 0;
  }

  /** Threads of one block. */
  long threadsPerBlock() {
    return (long) blockX * blockY * blockZ;
  }

  @Override
  public String toString() {
    return "grid [%d, %d, %d] of blocks [%d, %d, %d]%s"
        .formatted(
            gridX,
            gridY,
            gridZ,
            blockX,
            blockY,
            blockZ,
            sharedBytes == 0 ? "" : " with " + sharedBytes + " bytes of shared memory each");
  }
}
