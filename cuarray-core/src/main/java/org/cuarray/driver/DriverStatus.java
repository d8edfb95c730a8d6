package org.cuarray.driver;

import org.cuarray.CuDeviceLostException;
import org.cuarray.CuDriverException;

/** Turns a status code that is not {@code SUCCESS} into the exception that names it. */
public final class DriverStatus {
  /** For a call that belongs to no single device. */
  public static final int NO_DEVICE = -1;

  /** For a call that moves or asks for no bytes. */
  public static final long NO_BYTES = -1;

  private DriverStatus() {}

  /**
   * Throws where a call failed.
   *
   * @param status what the driver returned
   * @param call in the driver's words, such as {@code cuMemcpyPeerAsync}
   * @param device ordinal, or {@link #NO_DEVICE}
   * @throws CuDriverException the call and the code
   * @throws CuDeviceLostException for a code after which the device can't be used
   */
  public static void check(int status, String call, int device) {
    check(status, call, device, NO_BYTES);
  }

  /**
   * Throws where a call failed.
   *
   * @param status what the driver returned
   * @param call in the driver's words, such as {@code cuMemcpyPeerAsync}
   * @param device ordinal, or {@link #NO_DEVICE}
   * @param bytes how many the call was about, or {@link #NO_BYTES}
   * @throws CuDriverException the call and the code
   * @throws CuDeviceLostException for a code after which the device can't be used
   */
  public static void check(int status, String call, int device, long bytes) {
    if (status != CudaError.SUCCESS) {
      throw failure(status, call, device, bytes);
    }
  }

  /**
   * The exception for a failed call, for callers that must tidy up before they throw.
   *
   * @param status what the driver returned, not {@code SUCCESS}
   * @param call in the driver's words
   * @param device ordinal, or {@link #NO_DEVICE}
   * @param bytes how many the call was about, or {@link #NO_BYTES}
   * @return a {@link CuDriverException}, or a {@link CuDeviceLostException} caused by one
   */
  public static RuntimeException failure(int status, String call, int device, long bytes) {
    CuDriverException named = new CuDriverException(call, status, device, bytes, "");
    return CudaError.isSticky(status) && device != NO_DEVICE
        ? new CuDeviceLostException(device, named)
        : named;
  }

  /**
   * Whether a failure says no more than that the process is ending, see {@link ShutdownGate}.
   *
   * @param failure of a driver call
   * @return true for {@code CUDA_ERROR_DEINITIALIZED}
   */
  public static boolean isShutdown(RuntimeException failure) {
    return failure instanceof CuDriverException named && named.code() == CudaError.DEINITIALIZED;
  }
}
