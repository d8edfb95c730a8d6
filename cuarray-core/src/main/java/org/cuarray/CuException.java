package org.cuarray;

/**
 * Something that CUDA or this library could not do. Every failure that is not a bad argument is one
 * of these.
 *
 * <p>Bad arguments are {@link IllegalArgumentException} or {@link IndexOutOfBoundsException}
 * instead, and change nothing. After a failed submission the bytes of its destination are
 * undefined; whatever was submitted before stays tracked.
 */
public class CuException extends RuntimeException {
  /**
   * A failure that no other exception caused.
   *
   * @param message what failed, with the state that explains it
   */
  public CuException(String message) {
    super(message);
  }

  /**
   * A failure that another exception caused.
   *
   * @param message what failed, with the state that explains it
   * @param cause what caused it
   */
  public CuException(String message, Throwable cause) {
    super(message, cause);
  }
}
