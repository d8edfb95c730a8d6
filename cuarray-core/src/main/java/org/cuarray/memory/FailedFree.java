package org.cuarray.memory;

import org.cuarray.CuDeviceLostException;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.DriverStatus;
import org.cuarray.driver.ShutdownGate;

/**
 * What becomes of a failure to free: nothing where the device is lost or the process ends, since
 * the memory goes with it; else one warning, since closing must not throw.
 */
final class FailedFree {
  private static final System.Logger LOG = System.getLogger("org.cuarray");

  private FailedFree() {}

  /** For memory that something may still be using, as far as the driver tells. */
  static void leave(Object memory) {
    LOG.log(
        ShutdownGate.ofProcess().isClosed()
            ? System.Logger.Level.DEBUG
            : System.Logger.Level.WARNING,
        "the uses of {0} could not be waited for; it is not given back before the process ends",
        memory);
  }

  static void tolerate(int status, String call, Block block) {
    if (status != CudaError.SUCCESS
        && status != CudaError.DEINITIALIZED
        && !CudaError.isSticky(status)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "{0} failed with {1} while freeing {2}; the memory may be lost until the process ends",
          call,
          CudaError.name(status),
          block);
    }
  }

  static void tolerate(RuntimeException failure, Block block) {
    if (!(failure instanceof CuDeviceLostException) && !DriverStatus.isShutdown(failure)) {
      LOG.log(System.Logger.Level.WARNING, "could not free " + block, failure);
    }
  }
}
