package org.cuarray.tests.array;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.cuarray.BFloat16;
import org.cuarray.Complex128;
import org.cuarray.Complex64;
import org.cuarray.DType;
import org.cuarray.Float16;
import org.cuarray.UInt8;

/**
 * Elements of a dtype in both of their shapes.
 *
 * @param dtype of the elements
 * @param array what carries them
 * @param elements the same, one by one
 * @param other an array as long, of other elements
 */
record Sample<T, A>(DType<T, A> dtype, A array, List<T> elements, A other) {
  static final int SIZE = 6;

  /** One for each of the twelve dtypes. */
  static List<Sample<?, ?>> all() {
    byte[] bytes = {0, 1, -1, 127, -128, 77};
    byte[] otherBytes = {9, 8, 7, 6, 5, 4};
    short[] halves = Float16.pack(0, 1, -2.5f, 65504, 0x1p-14f, 0.1f);
    short[] brains = BFloat16.pack(0, 1, -2.5f, 3e38f, 0x1p-100f, 0.1f);
    short[] otherShorts = {1, 2, 3, 4, 5, 6};
    float[] floats = {0, 1, -2.5f, Float.MAX_VALUE, Float.MIN_VALUE, 0.1f};
    float[] pairs = {0, 1, -2.5f, 3, 4, 5, Float.MAX_VALUE, -1, 0.1f, 0.2f, -0.3f, 0.4f};
    double[] doubles = {0, 1, -2.5, Double.MAX_VALUE, Double.MIN_VALUE, 0.1};
    double[] doublePairs = {0, 1, -2.5, 3, 4, 5, Double.MAX_VALUE, -1, 0.1, 0.2, -0.3, 0.4};
    return List.of(
        new Sample<>(
            DType.BOOL,
            new boolean[] {true, false, true, true, false, false},
            List.of(true, false, true, true, false, false),
            new boolean[] {false, true, false, false, true, true}),
        new Sample<>(DType.INT8, bytes, each(i -> bytes[i]), otherBytes),
        new Sample<>(DType.UINT8, bytes, each(i -> UInt8.ofBits(bytes[i])), otherBytes),
        new Sample<>(
            DType.INT16,
            new short[] {0, 1, -1, 32767, -32768, 77},
            List.of((short) 0, (short) 1, (short) -1, (short) 32767, (short) -32768, (short) 77),
            otherShorts),
        new Sample<>(
            DType.INT32,
            new int[] {0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, 0x01020304},
            List.of(0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, 0x01020304),
            new int[] {1, 2, 3, 4, 5, 6}),
        new Sample<>(
            DType.INT64,
            new long[] {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, 0x0102030405060708L},
            List.of(0L, 1L, -1L, Long.MAX_VALUE, Long.MIN_VALUE, 0x0102030405060708L),
            new long[] {1, 2, 3, 4, 5, 6}),
        new Sample<>(DType.FLOAT16, halves, each(i -> Float16.ofBits(halves[i])), otherShorts),
        new Sample<>(DType.BFLOAT16, brains, each(i -> BFloat16.ofBits(brains[i])), otherShorts),
        new Sample<>(DType.FLOAT32, floats, each(i -> floats[i]), new float[] {1, 2, 3, 4, 5, 6}),
        new Sample<>(
            DType.FLOAT64, doubles, each(i -> doubles[i]), new double[] {1, 2, 3, 4, 5, 6}),
        new Sample<>(
            DType.COMPLEX64,
            pairs,
            each(i -> new Complex64(pairs[2 * i], pairs[2 * i + 1])),
            new float[2 * SIZE]),
        new Sample<>(
            DType.COMPLEX128,
            doublePairs,
            each(i -> new Complex128(doublePairs[2 * i], doublePairs[2 * i + 1])),
            new double[2 * SIZE]));
  }

  private static <T> List<T> each(IntFunction<T> element) {
    return IntStream.range(0, SIZE).mapToObj(element).toList();
  }

  /** The elements in a direct byte buffer, in native order, behind a few other bytes. */
  ByteBuffer bytes() {
    int before = 16;
    ByteBuffer buffer =
        ByteBuffer.allocateDirect(before + SIZE * dtype.byteSize()).order(ByteOrder.nativeOrder());
    buffer.position(before);
    putInto(buffer.slice().order(ByteOrder.nativeOrder()));
    return buffer;
  }

  /** An empty byte buffer as large. */
  ByteBuffer emptyBytes() {
    return ByteBuffer.allocate(SIZE * dtype.byteSize()).order(ByteOrder.nativeOrder());
  }

  private void putInto(ByteBuffer buffer) {
    switch (dtype.kind()) {
      case BOOL -> {
        for (boolean each : (boolean[]) array) {
          buffer.put((byte) (each ? 1 : 0));
        }
      }
      case INT8, UINT8 -> buffer.put((byte[]) array);
      case INT16, FLOAT16, BFLOAT16 -> buffer.asShortBuffer().put((short[]) array);
      case INT32 -> buffer.asIntBuffer().put((int[]) array);
      case INT64 -> buffer.asLongBuffer().put((long[]) array);
      case FLOAT32, COMPLEX64 -> buffer.asFloatBuffer().put((float[]) array);
      case FLOAT64, COMPLEX128 -> buffer.asDoubleBuffer().put((double[]) array);
    }
  }

  /** The elements in the kind of buffer that holds what the array holds. */
  Buffer typedBuffer() {
    return switch (dtype.kind()) {
      case BOOL -> bytes();
      case INT8, UINT8 -> ByteBuffer.wrap((byte[]) array).order(ByteOrder.nativeOrder());
      case INT16, FLOAT16, BFLOAT16 -> ShortBuffer.wrap((short[]) array);
      case INT32 -> IntBuffer.wrap((int[]) array);
      case INT64 -> LongBuffer.wrap((long[]) array);
      case FLOAT32, COMPLEX64 -> FloatBuffer.wrap((float[]) array);
      case FLOAT64, COMPLEX128 -> DoubleBuffer.wrap((double[]) array);
    };
  }

  @Override
  public String toString() {
    return dtype.toString();
  }
}
