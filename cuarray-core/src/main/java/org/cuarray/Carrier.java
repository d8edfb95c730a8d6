package org.cuarray;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/**
 * A kind of primitive array, with the kind of {@code java.nio} buffer that holds the same, and how
 * ranges of either go to and from bytes: in bulk, in native byte order. Offsets and counts are in
 * components, and those of a buffer start at its first component, not at its position. The bytes
 * are at the byte buffer's position, which moves past them. Nothing is checked here.
 *
 * @param <A> the primitive array
 */
abstract class Carrier<A> {
  static final Carrier<boolean[]> BOOLEANS = new Booleans();
  static final Carrier<byte[]> BYTES = new Bytes();
  static final Carrier<short[]> SHORTS = new Shorts();
  static final Carrier<int[]> INTS = new Ints();
  static final Carrier<long[]> LONGS = new Longs();
  static final Carrier<float[]> FLOATS = new Floats();
  static final Carrier<double[]> DOUBLES = new Doubles();

  final Class<A> arrayType;
  final Class<? extends Buffer> bufferType;
  final int componentBytes;

  Carrier(Class<A> arrayType, Class<? extends Buffer> bufferType, int componentBytes) {
    this.arrayType = arrayType;
    this.bufferType = bufferType;
    this.componentBytes = componentBytes;
  }

  abstract A allocate(int length);

  abstract int length(A array);

  abstract ByteOrder order(Buffer buffer);

  final void arrayToBytes(A from, int offset, int count, ByteBuffer to) {
    putArray(from, offset, count, to);
    skip(to, count);
  }

  final void bytesToArray(ByteBuffer from, A to, int offset, int count) {
    getArray(from, to, offset, count);
    skip(from, count);
  }

  final void bufferToBytes(Buffer from, int offset, int count, ByteBuffer to) {
    putBuffer(from, offset, count, to);
    skip(to, count);
  }

  final void bytesToBuffer(ByteBuffer from, Buffer to, int offset, int count) {
    getBuffer(from, to, offset, count);
    skip(from, count);
  }

  abstract void putArray(A from, int offset, int count, ByteBuffer to);

  abstract void getArray(ByteBuffer from, A to, int offset, int count);

  abstract void putBuffer(Buffer from, int offset, int count, ByteBuffer to);

  abstract void getBuffer(ByteBuffer from, Buffer to, int offset, int count);

  private void skip(ByteBuffer bytes, int count) {
    bytes.position(bytes.position() + count * componentBytes);
  }

  /** Bytes in a byte buffer, whatever their meaning. */
  private abstract static class OfByteBuffer<A> extends Carrier<A> {
    OfByteBuffer(Class<A> arrayType) {
      super(arrayType, ByteBuffer.class, Byte.BYTES);
    }

    @Override
    ByteOrder order(Buffer buffer) {
      return ((ByteBuffer) buffer).order();
    }

    @Override
    void putBuffer(Buffer from, int offset, int count, ByteBuffer to) {
      to.put(to.position(), (ByteBuffer) from, offset, count);
    }

    @Override
    void getBuffer(ByteBuffer from, Buffer to, int offset, int count) {
      ((ByteBuffer) to).put(offset, from, from.position(), count);
    }
  }

  private static final class Booleans extends OfByteBuffer<boolean[]> {
    Booleans() {
      super(boolean[].class);
    }

    @Override
    boolean[] allocate(int length) {
      return new boolean[length];
    }

    @Override
    int length(boolean[] array) {
      return array.length;
    }

    @Override
    void putArray(boolean[] from, int offset, int count, ByteBuffer to) {
      int start = to.position();
      for (int i = 0; i < count; i++) {
        to.put(start + i, from[offset + i] ? (byte) 1 : 0);
      }
    }

    @Override
    void getArray(ByteBuffer from, boolean[] to, int offset, int count) {
      int start = from.position();
      for (int i = 0; i < count; i++) {
        to[offset + i] = from.get(start + i) != 0;
      }
    }
  }

  private static final class Bytes extends OfByteBuffer<byte[]> {
    Bytes() {
      super(byte[].class);
    }

    @Override
    byte[] allocate(int length) {
      return new byte[length];
    }

    @Override
    int length(byte[] array) {
      return array.length;
    }

    @Override
    void putArray(byte[] from, int offset, int count, ByteBuffer to) {
      to.put(to.position(), from, offset, count);
    }

    @Override
    void getArray(ByteBuffer from, byte[] to, int offset, int count) {
      from.get(from.position(), to, offset, count);
    }
  }

  private static final class Shorts extends Carrier<short[]> {
    Shorts() {
      super(short[].class, ShortBuffer.class, Short.BYTES);
    }

    @Override
    short[] allocate(int length) {
      return new short[length];
    }

    @Override
    int length(short[] array) {
      return array.length;
    }

    @Override
    ByteOrder order(Buffer buffer) {
      return ((ShortBuffer) buffer).order();
    }

    @Override
    void putArray(short[] from, int offset, int count, ByteBuffer to) {
      to.asShortBuffer().put(from, offset, count);
    }

    @Override
    void getArray(ByteBuffer from, short[] to, int offset, int count) {
      from.asShortBuffer().get(to, offset, count);
    }

    @Override
    void putBuffer(Buffer from, int offset, int count, ByteBuffer to) {
      to.asShortBuffer().put(0, (ShortBuffer) from, offset, count);
    }

    @Override
    void getBuffer(ByteBuffer from, Buffer to, int offset, int count) {
      ((ShortBuffer) to).put(offset, from.asShortBuffer(), 0, count);
    }
  }

  private static final class Ints extends Carrier<int[]> {
    Ints() {
      super(int[].class, IntBuffer.class, Integer.BYTES);
    }

    @Override
    int[] allocate(int length) {
      return new int[length];
    }

    @Override
    int length(int[] array) {
      return array.length;
    }

    @Override
    ByteOrder order(Buffer buffer) {
      return ((IntBuffer) buffer).order();
    }

    @Override
    void putArray(int[] from, int offset, int count, ByteBuffer to) {
      to.asIntBuffer().put(from, offset, count);
    }

    @Override
    void getArray(ByteBuffer from, int[] to, int offset, int count) {
      from.asIntBuffer().get(to, offset, count);
    }

    @Override
    void putBuffer(Buffer from, int offset, int count, ByteBuffer to) {
      to.asIntBuffer().put(0, (IntBuffer) from, offset, count);
    }

    @Override
    void getBuffer(ByteBuffer from, Buffer to, int offset, int count) {
      ((IntBuffer) to).put(offset, from.asIntBuffer(), 0, count);
    }
  }

  private static final class Longs extends Carrier<long[]> {
    Longs() {
      super(long[].class, LongBuffer.class, Long.BYTES);
    }

    @Override
    long[] allocate(int length) {
      return new long[length];
    }

    @Override
    int length(long[] array) {
      return array.length;
    }

    @Override
    ByteOrder order(Buffer buffer) {
      return ((LongBuffer) buffer).order();
    }

    @Override
    void putArray(long[] from, int offset, int count, ByteBuffer to) {
      to.asLongBuffer().put(from, offset, count);
    }

    @Override
    void getArray(ByteBuffer from, long[] to, int offset, int count) {
      from.asLongBuffer().get(to, offset, count);
    }

    @Override
    void putBuffer(Buffer from, int offset, int count, ByteBuffer to) {
      to.asLongBuffer().put(0, (LongBuffer) from, offset, count);
    }

    @Override
    void getBuffer(ByteBuffer from, Buffer to, int offset, int count) {
      ((LongBuffer) to).put(offset, from.asLongBuffer(), 0, count);
    }
  }

  private static final class Floats extends Carrier<float[]> {
    Floats() {
      super(float[].class, FloatBuffer.class, Float.BYTES);
    }

    @Override
    float[] allocate(int length) {
      return new float[length];
    }

    @Override
    int length(float[] array) {
      return array.length;
    }

    @Override
    ByteOrder order(Buffer buffer) {
      return ((FloatBuffer) buffer).order();
    }

    @Override
    void putArray(float[] from, int offset, int count, ByteBuffer to) {
      to.asFloatBuffer().put(from, offset, count);
    }

    @Override
    void getArray(ByteBuffer from, float[] to, int offset, int count) {
      from.asFloatBuffer().get(to, offset, count);
    }

    @Override
    void putBuffer(Buffer from, int offset, int count, ByteBuffer to) {
      to.asFloatBuffer().put(0, (FloatBuffer) from, offset, count);
    }

    @Override
    void getBuffer(ByteBuffer from, Buffer to, int offset, int count) {
      ((FloatBuffer) to).put(offset, from.asFloatBuffer(), 0, count);
    }
  }

  private static final class Doubles extends Carrier<double[]> {
    Doubles() {
      super(double[].class, DoubleBuffer.class, Double.BYTES);
    }

    @Override
    double[] allocate(int length) {
      return new double[length];
    }

    @Override
    int length(double[] array) {
      return array.length;
    }

    @Override
    ByteOrder order(Buffer buffer) {
      return ((DoubleBuffer) buffer).order();
    }

    @Override
    void putArray(double[] from, int offset, int count, ByteBuffer to) {
      to.asDoubleBuffer().put(from, offset, count);
    }

    @Override
    void getArray(ByteBuffer from, double[] to, int offset, int count) {
      from.asDoubleBuffer().get(to, offset, count);
    }

    @Override
    void putBuffer(Buffer from, int offset, int count, ByteBuffer to) {
      to.asDoubleBuffer().put(0, (DoubleBuffer) from, offset, count);
    }

    @Override
    void getBuffer(ByteBuffer from, Buffer to, int offset, int count) {
      ((DoubleBuffer) to).put(offset, from.asDoubleBuffer(), 0, count);
    }
  }
}
