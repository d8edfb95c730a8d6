package org.cuarray;

import java.util.OptionalInt;
import org.cuarray.driver.CudaError;

/**
 * A driver call that did not return {@code CUDA_SUCCESS}.
 *
 * <p>The message names the call, the device, the bytes it was about, the code, what that code
 * usually means here and what to try. CUDA reports the failure of asynchronous work at whatever
 * call comes next: for the codes that work this way the message says that this call found the error
 * and need not have caused it.
 *
 * @see <a href="https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TYPES.html">CUresult</a>
 */
public class CuDriverException extends CuException {
  private static final int UNKNOWN = -1;

  /** The name in {@code cuda.h}. */
  private final String call;

  /** A {@code CUresult}. */
  private final int code;

  /** An ordinal, or -1 where unknown. */
  private final int device;

  /**
   * A failed call of which neither the device nor a size is known.
   *
   * @param call the driver's name of the call, such as {@code cuCtxGetCurrent}
   * @param code the status code that it returned
   */
  public CuDriverException(String call, int code) {
    this(call, code, UNKNOWN, UNKNOWN, "");
  }

  /**
   * A failed call, with everything known about it.
   *
   * @param call the driver's name of the call, such as {@code cuMemcpyPeerAsync}
   * @param code the status code that it returned
   * @param device the ordinal of the device it was about, or -1 where that is unknown
   * @param bytes how many bytes it was about, or -1 where it was about none
   * @param detail a sentence on what was being done, such as {@code "float32 [3, 4] on cuda:0 to
   *     cuda:1"}; may be empty
   */
  public CuDriverException(String call, int code, int device, long bytes, String detail) {
    super(message(call, code, device, bytes, detail));
    this.call = call;
    this.code = code;
    this.device = device;
  }

  /**
   * The driver call that returned the code.
   *
   * @return its name in {@code cuda.h}, such as {@code cuMemcpyPeerAsync}
   */
  public String call() {
    return call;
  }

  /**
   * The status code, a {@code CUresult}.
   *
   * @return the number that the driver returned
   */
  public int code() {
    return code;
  }

  /**
   * The status code by its name.
   *
   * @return its name in {@code cuda.h}, such as {@code CUDA_ERROR_INVALID_VALUE}
   */
  public String codeName() {
    return CudaError.name(code);
  }

  /**
   * The device that the call was about.
   *
   * @return its ordinal; empty where the call is about no device, or more than one
   */
  public OptionalInt device() {
    return device == UNKNOWN ? OptionalInt.empty() : OptionalInt.of(device);
  }

  private static String message(String call, int code, int device, long bytes, String detail) {
    StringBuilder message = new StringBuilder(call).append(" failed");
    if (device != UNKNOWN) {
      message.append(" on cuda:").append(device);
    }
    if (bytes != UNKNOWN) {
      message.append(" (").append(bytes).append(bytes == 1 ? " byte)" : " bytes)");
    }
    message.append(": ").append(CudaError.name(code)).append(" (").append(code).append(").");
    if (!detail.isEmpty()) {
      message.append(' ').append(detail).append(detail.endsWith(".") ? "" : ".");
    }
    if (CudaError.isSticky(code)) {
      message.append(" This call found the error; it need not have caused it.");
    }
    return message.append(' ').append(DriverAdvice.of(code)).toString();
  }
}
