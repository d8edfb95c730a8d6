package org.cuarray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Elements and arrays of them to bytes and back. */
class ArrayBytesTest {
  private static final int ELEMENTS = 100;

  static Stream<Arguments> dtypesAndSeeds() {
    return DType.all().stream()
        .flatMap(dtype -> Seeds.all().mapToObj(seed -> Arguments.of(dtype, seed)));
  }

  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("dtypesAndSeeds")
  <T, A> void aRangeOfAnArrayGoesToBytesAndBackInPieces(DType<T, A> dtype, long seed) {
    Random random = new Random(seed);
    A source = randomArray(dtype, random);
    A destination = dtype.newArray(ELEMENTS);
    int odd = 1 + 2 * random.nextInt(4);
    ByteBuffer staging = Bytes.ofLength(odd + ELEMENTS * dtype.byteSize());
    for (int from = 0; from < ELEMENTS; ) {
      int count = Math.min(1 + random.nextInt(30), ELEMENTS - from);
      dtype.arrayToBytes(source, from, count, staging.position(odd));
      assertThat(staging.position()).isEqualTo(odd + count * dtype.byteSize());
      dtype.bytesToArray(staging.position(odd), destination, from, count);
      assertThat(staging.position()).isEqualTo(odd + count * dtype.byteSize());
      from += count;
    }
    assertThat(bytes(dtype, destination)).isEqualTo(bytes(dtype, source));
  }

  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("dtypesAndSeeds")
  <T, A> void elementsAndArraysHaveTheSameBytes(DType<T, A> dtype, long seed) {
    A array = randomArray(dtype, new Random(seed));
    ByteBuffer fromArray = bytes(dtype, array);
    ByteBuffer fromElements = Bytes.ofLength(ELEMENTS * dtype.byteSize());
    while (fromArray.hasRemaining()) {
      dtype.encode(dtype.decode(fromArray), fromElements);
    }
    assertThat(fromElements.flip()).isEqualTo(fromArray.flip());
  }

  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("dtypesAndSeeds")
  <T, A> void onlyTheAskedRangeIsWritten(DType<T, A> dtype, long seed) {
    Random random = new Random(seed);
    A source = randomArray(dtype, random);
    A before = randomArray(dtype, random);
    A destination = dtype.newArray(ELEMENTS);
    dtype.bytesToArray(bytes(dtype, before), destination, 0, ELEMENTS);

    ByteBuffer piece = Bytes.ofLength(20 * dtype.byteSize());
    dtype.arrayToBytes(source, 30, 20, piece);
    dtype.bytesToArray(piece.flip(), destination, 60, 20);

    int size = dtype.byteSize();
    ByteBuffer result = bytes(dtype, destination);
    assertThat(result.slice(0, 60 * size)).isEqualTo(bytes(dtype, before).slice(0, 60 * size));
    assertThat(result.slice(60 * size, 20 * size))
        .isEqualTo(bytes(dtype, source).slice(30 * size, 20 * size));
    assertThat(result.slice(80 * size, 20 * size))
        .isEqualTo(bytes(dtype, before).slice(80 * size, 20 * size));
  }

  @Test
  void theLayoutIsTheOneOfCuda() {
    ByteBuffer bytes = Bytes.ofLength(8);

    DType.COMPLEX64.encode(new Complex64(1, 2), bytes);
    assertThat(bytes.getFloat(0)).isEqualTo(1f);
    assertThat(bytes.getFloat(4)).isEqualTo(2f);

    DType.INT32.arrayToBytes(new int[] {7, 0x01020304}, 0, 2, bytes.clear());
    assertThat(bytes.getInt(0)).isEqualTo(7);
    assertThat(bytes.getInt(4)).isEqualTo(0x01020304);

    DType.BOOL.arrayToBytes(new boolean[] {false, true}, 0, 2, bytes.clear());
    assertThat(bytes.get(0)).isZero();
    assertThat(bytes.get(1)).isOne();
  }

  @Test
  void anyByteThatIsNotZeroIsTrue() {
    ByteBuffer bytes = Bytes.ofLength(3).put(new byte[] {0, 2, -1}).flip();
    boolean[] array = new boolean[3];

    DType.BOOL.bytesToArray(bytes, array, 0, 3);

    assertThat(array).containsExactly(false, true, true);
    assertThat(DType.BOOL.decode(bytes.position(1))).isTrue();
  }

  @Test
  void aRangeOutsideTheArrayIsRefused() {
    ByteBuffer bytes = Bytes.ofLength(64);
    for (long[] range : new long[][] {{-1, 1}, {0, 5}, {4, 1}, {2, -1}, {1, Long.MAX_VALUE}}) {
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> DType.INT32.arrayToBytes(new int[4], range[0], range[1], bytes))
          .withMessage(range[1] + " elements of int32 from " + range[0] + " on, of 4");
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> DType.INT32.bytesToArray(bytes, new int[4], range[0], range[1]));
    }
    assertThat(bytes.position()).isZero();
  }

  @Test
  void bytesTooFewOrInTheOtherOrderAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DType.INT32.arrayToBytes(new int[4], 0, 4, Bytes.ofLength(15)))
        .withMessage("4 elements of int32, 4 bytes each, and 15 bytes remain");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DType.INT32.bytesToArray(Bytes.ofLength(15), new int[4], 0, 4));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DType.COMPLEX128.encode(DType.COMPLEX128.of(1), Bytes.ofLength(15)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DType.FLOAT32.decode(Bytes.ofLength(4).order(Bytes.foreignOrder())))
        .withMessageContaining("native is");
  }

  private static <A> A randomArray(DType<?, A> dtype, Random random) {
    A array = dtype.newArray(ELEMENTS);
    dtype.bytesToArray(Bytes.random(random, ELEMENTS * dtype.byteSize()), array, 0, ELEMENTS);
    return array;
  }

  private static <A> ByteBuffer bytes(DType<?, A> dtype, A array) {
    ByteBuffer bytes = Bytes.ofLength(ELEMENTS * dtype.byteSize());
    dtype.arrayToBytes(array, 0, ELEMENTS, bytes);
    return bytes.flip();
  }
}
