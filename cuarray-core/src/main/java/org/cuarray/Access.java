package org.cuarray;

import java.util.Objects;
import org.cuarray.stream.AccessMode;

/**
 * An array, and what somebody else's code is going to do to it: other libraries under a {@link
 * CuLease}, kernels as an argument. What is declared is what is ordered, so declare all of it.
 *
 * <p>Immutable.
 */
public final class Access implements KernelArg {
  private final CuArray<?> array;
  private final AccessMode mode;

  private Access(CuArray<?> array, AccessMode mode) {
    this.array = Objects.requireNonNull(array, "array");
    this.mode = mode;
  }

  /**
   * The elements are read and not changed.
   *
   * @param array the array
   * @return the declaration
   */
  public static Access read(CuArray<?> array) {
    return new Access(array, AccessMode.READ);
  }

  /**
   * The elements are written; those that are not written keep their values.
   *
   * @param array the array
   * @return the declaration
   */
  public static Access write(CuArray<?> array) {
    return new Access(array, AccessMode.WRITE);
  }

  /**
   * The elements are read and written.
   *
   * @param array the array
   * @return the declaration
   */
  public static Access readWrite(CuArray<?> array) {
    return new Access(array, AccessMode.WRITE);
  }

  /**
   * The array.
   *
   * @return as it was given
   */
  public CuArray<?> array() {
    return array;
  }

  /** How the order sees it: who writes comes after the readers, whether it reads as well or not. */
  AccessMode mode() {
    return mode;
  }

  @Override
  public String toString() {
    return (mode == AccessMode.READ ? "a read of " : "a write of ") + array;
  }
}
