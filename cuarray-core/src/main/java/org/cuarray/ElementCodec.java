package org.cuarray;

import java.nio.ByteBuffer;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * How one element of each dtype is written, read and converted. A table of functions; the checks
 * are in {@link DType}.
 *
 * @param type the element's class
 * @param writer puts the element's bytes at the buffer's position, and moves it
 * @param reader takes the element's bytes from the buffer's position, and moves it
 * @param converter makes an element of a number for the dtype of the given name, or refuses it
 * @param toDouble the element's value, rounded to the nearest double
 * @param toLong the element's value, exactly
 */
record ElementCodec<T>(
    Class<T> type,
    BiConsumer<ByteBuffer, T> writer,
    Function<ByteBuffer, T> reader,
    BiFunction<Number, String, T> converter,
    ToDoubleFunction<T> toDouble,
    ToLongFunction<T> toLong) {

  static final ElementCodec<Boolean> BOOL =
      new ElementCodec<>(
          Boolean.class,
          (bytes, value) -> bytes.put(value ? (byte) 1 : 0),
          bytes -> bytes.get() != 0,
          (number, dtype) -> Numbers.whole(number, dtype, 0, 1) == 1,
          value -> value ? 1 : 0,
          value -> value ? 1 : 0);

  static final ElementCodec<Byte> INT8 =
      new ElementCodec<>(
          Byte.class,
          ByteBuffer::put,
          ByteBuffer::get,
          (number, dtype) -> (byte) Numbers.whole(number, dtype, Byte.MIN_VALUE, Byte.MAX_VALUE),
          Byte::doubleValue,
          Byte::longValue);

  static final ElementCodec<UInt8> UINT8 =
      new ElementCodec<>(
          UInt8.class,
          (bytes, value) -> bytes.put(value.bits()),
          bytes -> UInt8.ofBits(bytes.get()),
          (number, dtype) -> UInt8.of((int) Numbers.whole(number, dtype, 0, 255)),
          UInt8::doubleValue,
          UInt8::longValue);

  static final ElementCodec<Short> INT16 =
      new ElementCodec<>(
          Short.class,
          ByteBuffer::putShort,
          ByteBuffer::getShort,
          (number, dtype) -> (short) Numbers.whole(number, dtype, Short.MIN_VALUE, Short.MAX_VALUE),
          Short::doubleValue,
          Short::longValue);

  static final ElementCodec<Integer> INT32 =
      new ElementCodec<>(
          Integer.class,
          ByteBuffer::putInt,
          ByteBuffer::getInt,
          (number, dtype) ->
              (int) Numbers.whole(number, dtype, Integer.MIN_VALUE, Integer.MAX_VALUE),
          Integer::doubleValue,
          Integer::longValue);

  static final ElementCodec<Long> INT64 =
      new ElementCodec<>(
          Long.class,
          ByteBuffer::putLong,
          ByteBuffer::getLong,
          (number, dtype) -> Numbers.whole(number, dtype, Long.MIN_VALUE, Long.MAX_VALUE),
          Long::doubleValue,
          Long::longValue);

  static final ElementCodec<Float16> FLOAT16 =
      new ElementCodec<>(
          Float16.class,
          (bytes, value) -> bytes.putShort(value.bits()),
          bytes -> Float16.ofBits(bytes.getShort()),
          Numbers::nearestFloat16,
          Float16::doubleValue,
          value -> Numbers.exactLong(value.doubleValue(), "float16"));

  static final ElementCodec<BFloat16> BFLOAT16 =
      new ElementCodec<>(
          BFloat16.class,
          (bytes, value) -> bytes.putShort(value.bits()),
          bytes -> BFloat16.ofBits(bytes.getShort()),
          Numbers::nearestBFloat16,
          BFloat16::doubleValue,
          value -> Numbers.exactLong(value.doubleValue(), "bfloat16"));

  static final ElementCodec<Float> FLOAT32 =
      new ElementCodec<>(
          Float.class,
          ByteBuffer::putFloat,
          ByteBuffer::getFloat,
          Numbers::nearestFloat,
          Float::doubleValue,
          value -> Numbers.exactLong(value, "float32"));

  static final ElementCodec<Double> FLOAT64 =
      new ElementCodec<>(
          Double.class,
          ByteBuffer::putDouble,
          ByteBuffer::getDouble,
          Numbers::nearest,
          Double::doubleValue,
          value -> Numbers.exactLong(value, "float64"));

  static final ElementCodec<Complex64> COMPLEX64 =
      new ElementCodec<>(
          Complex64.class,
          (bytes, value) -> bytes.putFloat(value.re()).putFloat(value.im()),
          bytes -> new Complex64(bytes.getFloat(), bytes.getFloat()),
          (number, dtype) -> new Complex64(Numbers.nearestFloat(number, dtype), 0),
          value -> realPart(value, value.re(), value.im()),
          value -> Numbers.exactLong(realPart(value, value.re(), value.im()), "complex64"));

  static final ElementCodec<Complex128> COMPLEX128 =
      new ElementCodec<>(
          Complex128.class,
          (bytes, value) -> bytes.putDouble(value.re()).putDouble(value.im()),
          bytes -> new Complex128(bytes.getDouble(), bytes.getDouble()),
          (number, dtype) -> new Complex128(Numbers.nearest(number, dtype), 0),
          value -> realPart(value, value.re(), value.im()),
          value -> Numbers.exactLong(realPart(value, value.re(), value.im()), "complex128"));

  private static double realPart(Object complex, double re, double im) {
    if (im != 0) {
      throw new ArithmeticException(
          complex + " is no real number: read the whole element, or its parts");
    }
    return re;
  }
}
