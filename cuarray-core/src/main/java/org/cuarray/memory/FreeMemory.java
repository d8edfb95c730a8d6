package org.cuarray.memory;

import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;

/** Free memory of the device whose context is current. */
final class FreeMemory {
  private FreeMemory() {}

  /** In bytes; -1 where the driver does not say. */
  static long of(CudaDriver driver) {
    long[] free = new long[1];
    long[] total = new long[1];
    return driver.memGetInfo(free, total) == CudaError.SUCCESS ? free[0] : -1;
  }
}
