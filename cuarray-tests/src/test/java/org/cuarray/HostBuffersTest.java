package org.cuarray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class HostBuffersTest {
  private static final int ELEMENTS = 64;

  /** A kind of buffer, as a view of bytes, so that the test sees what was moved. */
  private record Kind(DType<?, ?> dtype, int width, Function<ByteBuffer, Buffer> view) {
    @Override
    public String toString() {
      return dtype + " in " + width + " bytes";
    }
  }

  static Stream<Arguments> kindsAndSeeds() {
    return Stream.concat(
            DType.all().stream().map(dtype -> new Kind(dtype, 1, bytes -> bytes)),
            Stream.of(
                new Kind(DType.INT16, 2, ByteBuffer::asShortBuffer),
                new Kind(DType.FLOAT16, 2, ByteBuffer::asShortBuffer),
                new Kind(DType.BFLOAT16, 2, ByteBuffer::asShortBuffer),
                new Kind(DType.INT32, 4, ByteBuffer::asIntBuffer),
                new Kind(DType.INT64, 8, ByteBuffer::asLongBuffer),
                new Kind(DType.FLOAT32, 4, ByteBuffer::asFloatBuffer),
                new Kind(DType.FLOAT64, 8, ByteBuffer::asDoubleBuffer),
                new Kind(DType.COMPLEX64, 4, ByteBuffer::asFloatBuffer),
                new Kind(DType.COMPLEX128, 8, ByteBuffer::asDoubleBuffer)))
        .flatMap(kind -> Seeds.all().mapToObj(seed -> Arguments.of(kind, seed)));
  }

  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("kindsAndSeeds")
  void aRangeGoesToBytesAndBackAndThePositionStays(Kind kind, long seed) {
    Random random = new Random(seed);
    int size = kind.dtype.byteSize();
    int skipped = 1 + random.nextInt(5);
    ByteBuffer sourceBytes = Bytes.random(random, skipped * kind.width + ELEMENTS * size);
    ByteBuffer destinationBytes =
        ByteBuffer.allocate(sourceBytes.capacity()).order(ByteOrder.nativeOrder());
    Buffer source = kind.view.apply(sourceBytes).position(skipped);
    Buffer destination = kind.view.apply(destinationBytes).position(skipped);
    ByteBuffer staging = Bytes.ofLength(3 + ELEMENTS * size).position(3);
    int from = random.nextInt(ELEMENTS);
    int count = 1 + random.nextInt(ELEMENTS - from);

    assertThat(HostBuffers.elementsIn(kind.dtype, source)).isEqualTo(ELEMENTS);
    assertThat(HostBuffers.writableElementsIn(kind.dtype, destination)).isEqualTo(ELEMENTS);
    HostBuffers.bufferToBytes(kind.dtype, source, from, count, staging);
    assertThat(staging.position()).isEqualTo(3 + count * size);
    HostBuffers.bytesToBuffer(kind.dtype, staging.position(3), destination, from, count);
    assertThat(staging.position()).isEqualTo(3 + count * size);

    assertThat(source.position()).isEqualTo(skipped);
    assertThat(source.remaining()).isEqualTo(ELEMENTS * (size / kind.width));
    assertThat(destination.position()).isEqualTo(skipped);
    assertThat(destination.remaining()).isEqualTo(ELEMENTS * (size / kind.width));
    int first = skipped * kind.width + from * size;
    ByteBuffer expected = ByteBuffer.allocate(destinationBytes.capacity());
    expected.put(first, sourceBytes, first, count * size);
    assertThat(destinationBytes.clear()).isEqualTo(expected);
  }

  @Test
  void buffersOnTheHeapAndWithArrayOffsetsCarryTheSame() {
    FloatBuffer source = FloatBuffer.wrap(new float[] {0, 1, 2, 3, 4}, 1, 4).slice();
    ByteBuffer bytes = Bytes.ofLength(8);

    HostBuffers.bufferToBytes(DType.FLOAT32, source.position(1), 1, 2, bytes);

    assertThat(bytes.getFloat(0)).isEqualTo(3f);
    assertThat(bytes.getFloat(4)).isEqualTo(4f);
  }

  @Test
  void aBufferOfAnotherTypeIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostBuffers.elementsIn(DType.FLOAT32, IntBuffer.allocate(4)))
        .withMessage("float32 is carried by ByteBuffer or FloatBuffer, not by IntBuffer");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostBuffers.elementsIn(DType.INT16, CharBuffer.allocate(4)))
        .withMessage("int16 is carried by ByteBuffer or ShortBuffer, not by CharBuffer");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostBuffers.elementsIn(DType.UINT8, ShortBuffer.allocate(4)))
        .withMessage("uint8 is carried by ByteBuffer, not by ShortBuffer");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostBuffers.elementsIn(DType.FLOAT64, Bytes.ofLength(16).asLongBuffer()))
        .withMessage("float64 is carried by ByteBuffer or DoubleBuffer, not by LongBuffer");
  }

  @Test
  void aBufferInTheOtherByteOrderIsRefusedAndToldHowToBeMade() {
    ByteBuffer bytes = ByteBuffer.allocate(16).order(Bytes.foreignOrder());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostBuffers.elementsIn(DType.FLOAT32, bytes))
        .withMessage(
            "float32 in a ByteBuffer of %s order, native is %s: call"
                + " order(ByteOrder.nativeOrder()) before it is filled",
            Bytes.foreignOrder(), ByteOrder.nativeOrder());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostBuffers.writableElementsIn(DType.INT64, bytes.asLongBuffer()))
        .withMessageContaining("LongBuffer");
  }

  @Test
  void aBufferThatEndsWithinAnElementIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostBuffers.elementsIn(DType.FLOAT32, Bytes.ofLength(7)))
        .withMessage("float32 elements take 4 values of a ByteBuffer each, and 7 remain");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostBuffers.elementsIn(DType.COMPLEX64, FloatBuffer.allocate(3)))
        .withMessage("complex64 elements take 2 values of a FloatBuffer each, and 3 remain");
  }

  @Test
  void aReadOnlyBufferIsReadAndNeverWritten() {
    LongBuffer longs = LongBuffer.wrap(new long[] {5, 6}).asReadOnlyBuffer();
    ByteBuffer bytes = Bytes.ofLength(16);

    HostBuffers.bufferToBytes(DType.INT64, longs, 0, 2, bytes);

    assertThat(bytes.getLong(8)).isEqualTo(6);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostBuffers.bytesToBuffer(DType.INT64, bytes.flip(), longs, 0, 2))
        .withMessage("2 elements of int64 into a read-only LongBuffer");
  }

  @Test
  void aRangeOutsideTheBufferOrTheBytesIsRefusedAndMovesNothing() {
    FloatBuffer floats = FloatBuffer.allocate(6).position(2);
    ByteBuffer bytes = Bytes.ofLength(12);

    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> HostBuffers.bufferToBytes(DType.FLOAT32, floats, 2, 3, bytes))
        .withMessage("3 elements of float32 from 2 on, of 4");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostBuffers.bufferToBytes(DType.FLOAT32, floats, 0, 4, bytes))
        .withMessage("4 elements of float32, 4 bytes each, and 12 bytes remain");
    assertThat(bytes.position()).isZero();
    assertThat(floats.position()).isEqualTo(2);
  }
}
