package org.cuarray.kernel;

import org.cuarray.CuDeviceLostException;
import org.cuarray.CuDriverException;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.DriverStatus;

/** Names what went wrong with a module or a kernel, with the sentence that the code lacks. */
final class KernelFailure {
  private KernelFailure() {}

  static void check(int status, String call, int ordinal, String detail) {
    if (status != CudaError.SUCCESS) {
      throw of(status, call, ordinal, detail);
    }
  }

  static RuntimeException of(int status, String call, int ordinal, String detail) {
    CuDriverException named =
        new CuDriverException(call, status, ordinal, DriverStatus.NO_BYTES, detail);
    return CudaError.isSticky(status) ? new CuDeviceLostException(ordinal, named) : named;
  }
}
