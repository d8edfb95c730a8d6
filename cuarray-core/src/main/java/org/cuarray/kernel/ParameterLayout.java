package org.cuarray.kernel;

import java.util.Arrays;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;

/**
 * Where the parameters of a kernel lie in what a launch hands over: as the driver says, or, where
 * it does not know, one after the other, each aligned to its own size as C does it.
 */
final class ParameterLayout {
  /** More than any kernel has: parameters take at most 32 764 bytes. */
  private static final int MOST = 1 << 15;

  private static final int[] NONE = {};

  private final boolean known;
  private final int[] offsets;
  private final int[] sizes;

  private ParameterLayout(boolean known, int[] offsets, int[] sizes) {
    this.known = known;
    this.offsets = offsets;
    this.sizes = sizes;
  }

  static ParameterLayout of(CudaDriver driver, long function) {
    long[] offset = new long[1];
    long[] bytes = new long[1];
    int[] offsets = new int[4];
    int[] sizes = new int[4];
    int count = 0;
    int status = driver.funcGetParamInfo(function, 0, offset, bytes);
    while (status == CudaError.SUCCESS && count < MOST) {
      if (count == offsets.length) {
        offsets = Arrays.copyOf(offsets, 2 * count);
        sizes = Arrays.copyOf(sizes, 2 * count);
      }
      offsets[count] = (int) offset[0];
      sizes[count] = (int) bytes[0];
      count++;
      status = driver.funcGetParamInfo(function, count, offset, bytes);
    }
    // Past the last parameter the index is invalid; anything else is "cannot tell".
    return status == CudaError.INVALID_VALUE
        ? new ParameterLayout(true, Arrays.copyOf(offsets, count), Arrays.copyOf(sizes, count))
        : new ParameterLayout(false, NONE, NONE);
  }

  /** Whether this many arguments are as many as the kernel takes, or nobody can tell. */
  boolean takes(int count) {
    return !known || count == sizes.length;
  }

  /** Whether an argument of a size is what the kernel takes there, or nobody can tell. */
  boolean takes(int index, int bytes) {
    return !known || sizes[index] == bytes;
  }

  /**
   * The first byte of a parameter.
   *
   * @param bytes its size
   * @param end of the parameter before it, 0 for the first
   */
  int offset(int index, int bytes, int end) {
    return known ? offsets[index] : (end + bytes - 1) / bytes * bytes;
  }

  @Override
  public String toString() {
    return "%d parameters of %s bytes".formatted(sizes.length, Arrays.toString(sizes));
  }
}
