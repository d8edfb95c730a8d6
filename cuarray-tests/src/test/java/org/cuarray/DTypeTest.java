package org.cuarray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.cuarray.DType.BFLOAT16;
import static org.cuarray.DType.BOOL;
import static org.cuarray.DType.COMPLEX128;
import static org.cuarray.DType.COMPLEX64;
import static org.cuarray.DType.FLOAT16;
import static org.cuarray.DType.FLOAT32;
import static org.cuarray.DType.FLOAT64;
import static org.cuarray.DType.INT16;
import static org.cuarray.DType.INT32;
import static org.cuarray.DType.INT64;
import static org.cuarray.DType.INT8;
import static org.cuarray.DType.UINT8;

import java.nio.ByteBuffer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the twelve dtypes are, and the checks of what unchecked casts let through. */
class DTypeTest {

  static Stream<Arguments> table() {
    return Stream.of(
        Arguments.of(BOOL, DType.Kind.BOOL, "bool", 1, true, new boolean[6]),
        Arguments.of(INT8, DType.Kind.INT8, "int8", 1, (byte) 1, new byte[6]),
        Arguments.of(UINT8, DType.Kind.UINT8, "uint8", 1, UInt8.of(1), new byte[6]),
        Arguments.of(INT16, DType.Kind.INT16, "int16", 2, (short) 1, new short[6]),
        Arguments.of(INT32, DType.Kind.INT32, "int32", 4, 1, new int[6]),
        Arguments.of(INT64, DType.Kind.INT64, "int64", 8, 1L, new long[6]),
        Arguments.of(FLOAT16, DType.Kind.FLOAT16, "float16", 2, Float16.of(1), new short[6]),
        Arguments.of(BFLOAT16, DType.Kind.BFLOAT16, "bfloat16", 2, BFloat16.of(1), new short[6]),
        Arguments.of(FLOAT32, DType.Kind.FLOAT32, "float32", 4, 1f, new float[6]),
        Arguments.of(FLOAT64, DType.Kind.FLOAT64, "float64", 8, 1d, new double[6]),
        Arguments.of(
            COMPLEX64, DType.Kind.COMPLEX64, "complex64", 8, new Complex64(1, 0), new float[12]),
        Arguments.of(
            COMPLEX128,
            DType.Kind.COMPLEX128,
            "complex128",
            16,
            new Complex128(1, 0),
            new double[12]));
  }

  @ParameterizedTest(name = "{2}")
  @MethodSource("table")
  void eachHasItsKindNameBytesElementAndArray(
      DType<Object, Object> dtype,
      DType.Kind kind,
      String name,
      int bytes,
      Object one,
      Object arrayOfSix) {
    assertThat(dtype.kind()).isEqualTo(kind);
    assertThat(dtype.name()).isEqualTo(name);
    assertThat(dtype).hasToString(name);
    assertThat(dtype.byteSize()).isEqualTo(bytes);
    assertThat(dtype.of(1)).isEqualTo(one);
    assertThat(dtype.toDouble(one)).isEqualTo(1);
    assertThat(dtype.toLong(one)).isEqualTo(1);
    assertThat(dtype.newArray(6)).isEqualTo(arrayOfSix);
    assertThat(dtype.arrayLength(arrayOfSix)).isEqualTo(6);
  }

  @Test
  void thereAreTwelveInTheOrderOfTheirKinds() {
    assertThat(DType.all())
        .extracting(DType::kind)
        .containsExactly(DType.Kind.values())
        .hasSize(12);
  }

  @Test
  void arraysAreLimitedByTheLongestThatJavaHas() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FLOAT32.newArray(3_000_000_000L))
        .withMessage(
            "3000000000 elements of float32 into a float[], which carries 0 to 2147483639:"
                + " take slices, or a HostArray");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> COMPLEX64.newArray(1L << 30))
        .withMessageContaining("0 to 1073741819");
    assertThatIllegalArgumentException().isThrownBy(() -> INT8.newArray(-1));
    assertThat(COMPLEX128.newArray(0)).isEmpty();
  }

  @Test
  void anArrayOfHalfAComplexNumberIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> COMPLEX64.arrayLength(new float[7]))
        .withMessage(
            "complex64 is carried by pairs of real and imaginary parts, not by an array of"
                + " length 7");
  }

  @Test
  void anArrayThatAnUncheckedCastLetThroughIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> unchecked(FLOAT32).arrayLength(new int[3]))
        .withMessage("float32 is carried by float[], not by int[]");
    assertThatNullPointerException()
        .isThrownBy(() -> FLOAT32.arrayLength(null))
        .withMessage("array");
  }

  @Test
  void anElementThatAnUncheckedCastLetThroughIsRefusedAndWritesNothing() {
    ByteBuffer bytes = Bytes.ofLength(8);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> unchecked(FLOAT32).encode(3, bytes))
        .withMessage("elements of float32 are Float, not Integer (3)");
    assertThatIllegalArgumentException().isThrownBy(() -> unchecked(UINT8).toDouble((byte) 3));
    assertThatIllegalArgumentException().isThrownBy(() -> unchecked(INT64).toLong(3));
    assertThat(bytes.position()).isZero();
  }

  @Test
  void onlyTheSameDtypeIsTheSame() {
    INT16.requireSame(INT16, "array");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> INT16.requireSame(FLOAT16, "array int16 [3] on cuda:0"))
        .withMessage("array int16 [3] on cuda:0 has elements of int16, not of float16");
  }

  @SuppressWarnings("unchecked")
  private static DType<Object, Object> unchecked(DType<?, ?> dtype) {
    return (DType<Object, Object>) dtype;
  }
}
