package org.cuarray;

/**
 * A device that this process cannot use any more: an error that CUDA calls sticky left its context
 * beyond use, or the device fell off the bus.
 *
 * <p>The bytes of its arrays are gone. Closing them, and closing the runtime, still works and does
 * not throw. Other devices stay usable. CUDA gives a process no way to recover the device: start a
 * new one.
 */
public class CuDeviceLostException extends CuException {
  /** An ordinal. */
  private final int device;

  /**
   * A device found lost.
   *
   * @param device its ordinal
   */
  public CuDeviceLostException(int device) {
    super(message(device));
    this.device = device;
  }

  /**
   * A device found lost, with the failure that told.
   *
   * @param device its ordinal
   * @param cause the failure that told, usually a {@link CuDriverException}
   */
  public CuDeviceLostException(int device, Throwable cause) {
    super(message(device), cause);
    this.device = device;
  }

  /**
   * The device that is lost.
   *
   * @return its ordinal
   */
  public int device() {
    return device;
  }

  private static String message(int device) {
    return "cuda:"
        + device
        + " is lost to this process, and the bytes of its arrays with it; other devices stay"
        + " usable, and close() still works. Try: start a new process; nvidia-smi and the kernel"
        + " log (Xid messages) tell the reason.";
  }
}
