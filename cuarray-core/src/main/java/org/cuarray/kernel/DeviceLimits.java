package org.cuarray.kernel;

import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.DeviceAttribute;
import org.cuarray.driver.DriverStatus;
import org.cuarray.registry.DeviceContexts;

/**
 * What a device takes in one launch, of any kernel.
 *
 * @param threadsPerBlock in all three directions together
 * @param sharedBytes of one block, declared and asked for together
 */
record DeviceLimits(
    int ordinal,
    int gridX,
    int gridY,
    int gridZ,
    int blockX,
    int blockY,
    int blockZ,
    int threadsPerBlock,
    int sharedBytes) {

  static DeviceLimits of(CudaDriver driver, int ordinal) {
    return new DeviceLimits(
        ordinal,
        attribute(driver, ordinal, DeviceAttribute.MAX_GRID_DIM_X),
        attribute(driver, ordinal, DeviceAttribute.MAX_GRID_DIM_Y),
        attribute(driver, ordinal, DeviceAttribute.MAX_GRID_DIM_Z),
        attribute(driver, ordinal, DeviceAttribute.MAX_BLOCK_DIM_X),
        attribute(driver, ordinal, DeviceAttribute.MAX_BLOCK_DIM_Y),
        attribute(driver, ordinal, DeviceAttribute.MAX_BLOCK_DIM_Z),
        attribute(driver, ordinal, DeviceAttribute.MAX_THREADS_PER_BLOCK),
        Math.max(
            attribute(driver, ordinal, DeviceAttribute.MAX_SHARED_MEMORY_PER_BLOCK),
            attribute(driver, ordinal, DeviceAttribute.MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)));
  }

  static int attribute(CudaDriver driver, int ordinal, int attribute) {
    int[] value = new int[1];
    DriverStatus.check(
        driver.deviceGetAttribute(value, attribute, DeviceContexts.of(driver).device(ordinal)),
        "cuDeviceGetAttribute",
        ordinal);
    return value[0];
  }

  /**
   * Checks a launch.
   *
   * @param kernel its name, for the message
   * @throws IllegalArgumentException which shows both sides
   */
  void require(Geometry geometry, String kernel) {
    if (geometry.gridX() > gridX || geometry.gridY() > gridY || geometry.gridZ() > gridZ) {
      throw new IllegalArgumentException(
          "kernel %s was given a %s; cuda:%d takes grids of at most [%d, %d, %d]"
              .formatted(kernel, geometry, ordinal, gridX, gridY, gridZ));
    }
    if (geometry.blockX() > blockX
        || geometry.blockY() > blockY
        || geometry.blockZ() > blockZ
        || geometry.threadsPerBlock() > threadsPerBlock) {
      throw new IllegalArgumentException(
          "kernel %s was given a %s, %d threads a block; cuda:%d takes blocks of at most [%d, %d, %d]"
                  .formatted(
                      kernel, geometry, geometry.threadsPerBlock(), ordinal, blockX, blockY, blockZ)
              + " and %d threads".formatted(threadsPerBlock));
    }
  }
}
