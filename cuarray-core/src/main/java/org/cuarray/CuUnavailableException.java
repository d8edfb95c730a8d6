package org.cuarray;

/**
 * CUDA cannot be used here: no driver, no device, a driver that is too old, a runtime library that
 * is missing, or native libraries for another platform.
 *
 * <p>Thrown on opening a runtime, never by a static initialiser, so a program can catch it and go
 * on without a device.
 */
public class CuUnavailableException extends CuException {
  /** The message without its first words. */
  private final String reason;

  /**
   * CUDA is unavailable for a reason that no other exception caused.
   *
   * @param reason what is missing, and what to do about it
   */
  public CuUnavailableException(String reason) {
    super("CUDA is unavailable: " + reason);
    this.reason = reason;
  }

  /**
   * CUDA is unavailable because of another exception, such as an {@link UnsatisfiedLinkError}.
   *
   * @param reason what is missing, and what to do about it
   * @param cause what was thrown while looking for it
   */
  public CuUnavailableException(String reason, Throwable cause) {
    super("CUDA is unavailable: " + reason, cause);
    this.reason = reason;
  }

  /**
   * What is missing, and what to do about it.
   *
   * @return the message without its first words
   */
  public String reason() {
    return reason;
  }
}
