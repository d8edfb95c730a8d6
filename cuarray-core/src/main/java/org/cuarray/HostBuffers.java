package org.cuarray;

import static com.google.common.base.Preconditions.checkNotNull;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The elements in buffers that users give, heap or direct: checks, and copies to and from bytes.
 *
 * <p>A dtype's elements are in a {@link ByteBuffer}, or in the kind of buffer that holds what the
 * dtype's array holds: {@code FloatBuffer} for {@code float32} and {@code complex64}, {@code
 * ShortBuffer} for {@code int16}, {@code float16} and {@code bfloat16}, and so on. The buffer is in
 * native byte order or refused, has exactly the elements from its position to its limit, and keeps
 * both. Bytes are as for {@link DType}: in native byte order, at the byte buffer's position, which
 * moves past them. A {@code bool} in a byte buffer is a byte, moved as it is.
 *
 * <p>Stateless; as thread-safe as the buffers are.
 */
final class HostBuffers {
  private HostBuffers() {}

  /**
   * How many elements a buffer has from its position to its limit, to read.
   *
   * @param dtype the elements' type
   * @param source the buffer
   * @return the number of elements that remain
   * @throws IllegalArgumentException if it is another kind of buffer, in the other byte order, or
   *     what remains is no whole number of elements
   */
  static long elementsIn(DType<?, ?> dtype, Buffer source) {
    Carrier<?> carrier = carrierOf(dtype, source);
    ByteOrder order = carrier.order(source);
    if (!order.equals(ByteOrder.nativeOrder())) {
      throw new IllegalArgumentException(
          dtype
              + " in a "
              + kind(source)
              + " of "
              + order
              + " order, native is "
              + ByteOrder.nativeOrder()
              + ": call order(ByteOrder.nativeOrder()) before it is filled");
    }
    int perElement = dtype.byteSize() / carrier.componentBytes;
    if (source.remaining() % perElement != 0) {
      throw new IllegalArgumentException(
          dtype
              + " elements take "
              + perElement
              + " values of a "
              + kind(source)
              + " each, and "
              + source.remaining()
              + " remain");
    }
    return source.remaining() / perElement;
  }

  /**
   * How many elements a buffer has from its position to its limit, to write.
   *
   * @param dtype the elements' type
   * @param destination the buffer
   * @return the number of elements that remain
   * @throws IllegalArgumentException as {@link #elementsIn}, or if the buffer is read-only
   */
  static long writableElementsIn(DType<?, ?> dtype, Buffer destination) {
    long elements = elementsIn(dtype, destination);
    if (destination.isReadOnly()) {
      throw new IllegalArgumentException(
          elements + " elements of " + dtype + " into a read-only " + kind(destination));
    }
    return elements;
  }

  /**
   * Copies elements of a buffer to bytes, in bulk.
   *
   * @param dtype the elements' type
   * @param source the buffer, as for {@link #elementsIn}
   * @param from the first element, counted from the buffer's position
   * @param count how many elements
   * @param destination at least that many elements' bytes
   * @throws IndexOutOfBoundsException if the buffer does not have those elements
   * @throws IllegalArgumentException if either buffer is refused
   */
  static void bufferToBytes(
      DType<?, ?> dtype, Buffer source, long from, long count, ByteBuffer destination) {
    dtype.requireRange(from, count, elementsIn(dtype, source));
    dtype.requireRoom(destination, count);
    Carrier<?> carrier = carrierOf(dtype, source);
    int perElement = dtype.byteSize() / carrier.componentBytes;
    int offset = source.position() + (int) from * perElement;
    carrier.bufferToBytes(source, offset, (int) count * perElement, destination);
  }

  /**
   * Copies bytes to elements of a buffer, in bulk.
   *
   * @param dtype the elements' type
   * @param source at least that many elements' bytes
   * @param destination the buffer, as for {@link #writableElementsIn}
   * @param from the first element to be written, counted from the buffer's position
   * @param count how many elements
   * @throws IndexOutOfBoundsException if the buffer does not have those elements
   * @throws IllegalArgumentException if either buffer is refused
   */
  static void bytesToBuffer(
      DType<?, ?> dtype, ByteBuffer source, Buffer destination, long from, long count) {
    dtype.requireRange(from, count, writableElementsIn(dtype, destination));
    dtype.requireRoom(source, count);
    Carrier<?> carrier = carrierOf(dtype, destination);
    int perElement = dtype.byteSize() / carrier.componentBytes;
    int offset = destination.position() + (int) from * perElement;
    carrier.bytesToBuffer(source, destination, offset, (int) count * perElement);
  }

  private static Carrier<?> carrierOf(DType<?, ?> dtype, Buffer buffer) {
    checkNotNull(buffer, "buffer");
    if (buffer instanceof ByteBuffer) {
      return Carrier.BYTES;
    }
    Carrier<?> carrier = dtype.carrier();
    if (!carrier.bufferType.isInstance(buffer)) {
      String own = carrier.componentBytes == 1 ? "" : " or " + carrier.bufferType.getSimpleName();
      throw new IllegalArgumentException(
          dtype + " is carried by ByteBuffer" + own + ", not by " + kind(buffer));
    }
    return carrier;
  }

  /** {@code FloatBuffer} and not {@code DirectFloatBufferU}: the name that users know. */
  private static String kind(Buffer buffer) {
    Class<?> kind = buffer.getClass();
    while (kind.getSuperclass() != Buffer.class) {
      kind = kind.getSuperclass();
    }
    return kind.getSimpleName();
  }
}
