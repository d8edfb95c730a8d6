package org.cuarray;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * An argument of a kernel: an array with what the kernel does to it, see {@link Access}, or a
 * value.
 *
 * <p>A value has exactly the size of its parameter: an {@code int} of CUDA C++ is {@link #int32},
 * whatever number it holds, and a {@code size_t} is {@link #int64}. Immutable, so an argument can
 * be kept and used again.
 */
public sealed interface KernelArg permits Access, ScalarArg {
  /**
   * A {@code bool}.
   *
   * @param value true or false
   * @return an argument of 1 byte
   */
  static KernelArg bool(boolean value) {
    return new ScalarArg("bool", 1, value ? 1 : 0, 0, value);
  }

  /**
   * A {@code signed char}.
   *
   * @param value -128 to 127
   * @return an argument of 1 byte
   * @throws IllegalArgumentException where it is out of that range
   */
  static KernelArg int8(int value) {
    return ScalarArg.whole("int8", 1, Byte.MIN_VALUE, Byte.MAX_VALUE, value);
  }

  /**
   * An {@code unsigned char}.
   *
   * @param value 0 to 255
   * @return an argument of 1 byte
   * @throws IllegalArgumentException where it is out of that range
   */
  static KernelArg uint8(int value) {
    return ScalarArg.whole("uint8", 1, 0, 255, value);
  }

  /**
   * A {@code short}.
   *
   * @param value -32768 to 32767
   * @return an argument of 2 bytes
   * @throws IllegalArgumentException where it is out of that range
   */
  static KernelArg int16(int value) {
    return ScalarArg.whole("int16", 2, Short.MIN_VALUE, Short.MAX_VALUE, value);
  }

  /**
   * An {@code int}, or the bits of an {@code unsigned int}.
   *
   * @param value any
   * @return an argument of 4 bytes
   */
  static KernelArg int32(int value) {
    return new ScalarArg("int32", 4, value, 0, value);
  }

  /**
   * A {@code long long} or {@code size_t}.
   *
   * @param value any
   * @return an argument of 8 bytes
   */
  static KernelArg int64(long value) {
    return new ScalarArg("int64", 8, value, 0, value);
  }

  /**
   * A {@code __half}.
   *
   * @param value rounded to the nearest, ties to even
   * @return an argument of 2 bytes
   */
  static KernelArg float16(float value) {
    Float16 rounded = Float16.of(value);
    return new ScalarArg("float16", 2, rounded.bits(), 0, rounded);
  }

  /**
   * A {@code __nv_bfloat16}.
   *
   * @param value rounded to the nearest, ties to even
   * @return an argument of 2 bytes
   */
  static KernelArg bfloat16(float value) {
    BFloat16 rounded = BFloat16.of(value);
    return new ScalarArg("bfloat16", 2, rounded.bits(), 0, rounded);
  }

  /**
   * A {@code float}.
   *
   * @param value any, its NaN bits included
   * @return an argument of 4 bytes
   */
  static KernelArg float32(float value) {
    return new ScalarArg("float32", 4, Float.floatToRawIntBits(value), 0, value);
  }

  /**
   * A {@code double}.
   *
   * @param value any, its NaN bits included
   * @return an argument of 8 bytes
   */
  static KernelArg float64(double value) {
    return new ScalarArg("float64", 8, Double.doubleToRawLongBits(value), 0, value);
  }

  /**
   * One element of an array, such as a {@code float2} for {@link DType#COMPLEX64}.
   *
   * @param <T> the element
   * @param dtype its type
   * @param value the element
   * @return an argument of as many bytes as the element
   */
  static <T> KernelArg of(DType<T, ?> dtype, T value) {
    Objects.requireNonNull(value, "value");
    ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES).order(ByteOrder.nativeOrder());
    dtype.encode(value, bytes);
    return new ScalarArg(
        dtype.toString(), dtype.byteSize(), bytes.getLong(0), bytes.getLong(Long.BYTES), value);
  }
}
