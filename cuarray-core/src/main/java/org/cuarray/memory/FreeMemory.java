package org.cuarray.memory;

import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.registry.DeviceContexts;

/** Free memory of a device, for messages. */
final class FreeMemory {
  private FreeMemory() {}

  /** In bytes, of the device of a context; -1 where the driver does not say. */
  static long of(CudaDriver driver, long context) {
    DeviceContexts contexts = DeviceContexts.of(driver);
    long[] free = new long[1];
    long[] total = new long[1];
    contexts.enter(context);
    try {
      return driver.memGetInfo(free, total) == CudaError.SUCCESS ? free[0] : -1;
    } finally {
      contexts.leave();
    }
  }
}
