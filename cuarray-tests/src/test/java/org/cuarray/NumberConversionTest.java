package org.cuarray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
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

import com.google.common.primitives.UnsignedLong;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@link DType#of}, {@link DType#toDouble} and {@link DType#toLong}: exact, rounded once, or
 * refused.
 */
class NumberConversionTest {

  static Stream<Arguments> held() {
    return Stream.of(
        Arguments.of(BOOL, 0, false),
        Arguments.of(BOOL, 1.0, true),
        Arguments.of(BOOL, -0.0, false),
        Arguments.of(INT8, -128L, (byte) -128),
        Arguments.of(INT8, 127.0f, (byte) 127),
        Arguments.of(INT8, Float16.of(-3), (byte) -3),
        Arguments.of(UINT8, 255, UInt8.of(255)),
        Arguments.of(UINT8, UInt8.of(200), UInt8.of(200)),
        Arguments.of(INT16, new BigDecimal("-32768.000"), (short) -32768),
        Arguments.of(INT32, new BigInteger("2147483647"), Integer.MAX_VALUE),
        Arguments.of(INT32, new AtomicInteger(-7), -7),
        Arguments.of(INT64, Long.MIN_VALUE, Long.MIN_VALUE),
        Arguments.of(INT64, -0x1p63, Long.MIN_VALUE),
        Arguments.of(INT64, new BigDecimal("9223372036854775807"), Long.MAX_VALUE),
        Arguments.of(INT64, new AtomicLong(1L << 60), 1L << 60),
        Arguments.of(INT64, new LongAdder(), 0L),
        Arguments.of(INT64, UnsignedLong.valueOf(1L << 62), 1L << 62),
        Arguments.of(FLOAT16, 65519.99, Float16.of(65504)),
        Arguments.of(FLOAT16, 1e-30, Float16.of(0)),
        Arguments.of(FLOAT16, Double.NEGATIVE_INFINITY, Float16.of(Float.NEGATIVE_INFINITY)),
        Arguments.of(FLOAT16, Float.NaN, Float16.of(Float.NaN)),
        Arguments.of(BFLOAT16, Float16.of(0.5), BFloat16.of(0.5)),
        Arguments.of(FLOAT32, 0.1, 0.1f),
        Arguments.of(FLOAT32, 16_777_217, 16_777_216f),
        Arguments.of(FLOAT32, -0.0, -0f),
        Arguments.of(FLOAT32, Double.POSITIVE_INFINITY, Float.POSITIVE_INFINITY),
        Arguments.of(FLOAT64, 0.1f, (double) 0.1f),
        Arguments.of(FLOAT64, Long.MAX_VALUE, 0x1p63),
        Arguments.of(FLOAT64, new BigDecimal("0.1"), 0.1),
        Arguments.of(FLOAT64, new BigDecimal("1e-1000000000"), 0.0),
        Arguments.of(COMPLEX64, 2.5, new Complex64(2.5f, 0)),
        Arguments.of(COMPLEX128, UnsignedLong.MAX_VALUE, new Complex128(0x1p64, 0)));
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        Arguments.of(BOOL, 2),
        Arguments.of(BOOL, 0.5),
        Arguments.of(BOOL, Double.NaN),
        Arguments.of(INT8, 128),
        Arguments.of(INT8, -129),
        Arguments.of(INT8, 1.5f),
        Arguments.of(UINT8, -1),
        Arguments.of(UINT8, 256),
        Arguments.of(INT16, 32768),
        Arguments.of(INT32, 1L << 31),
        Arguments.of(INT32, Double.POSITIVE_INFINITY),
        Arguments.of(INT64, 0x1p63),
        Arguments.of(INT64, Math.nextDown(-0x1p63)),
        Arguments.of(INT64, Double.NaN),
        Arguments.of(INT64, new BigInteger("9223372036854775808")),
        Arguments.of(INT64, new BigDecimal("0.5")),
        Arguments.of(INT64, new BigDecimal("1e1000000000")),
        Arguments.of(INT64, UnsignedLong.MAX_VALUE),
        Arguments.of(FLOAT16, 65520),
        Arguments.of(FLOAT16, -1e300),
        Arguments.of(BFLOAT16, Float.MAX_VALUE),
        Arguments.of(FLOAT32, 1e39),
        Arguments.of(FLOAT32, new BigDecimal("-1e400")),
        Arguments.of(FLOAT64, new BigDecimal("1e309")),
        Arguments.of(COMPLEX64, 1e39),
        Arguments.of(COMPLEX128, new BigDecimal("1e309")));
  }

  @ParameterizedTest(name = "{0} of {1}")
  @MethodSource("held")
  void aNumberThatFitsBecomesTheElement(DType<?, ?> dtype, Number number, Object element) {
    assertThat((Object) dtype.of(number)).isEqualTo(element);
  }

  @ParameterizedTest(name = "{0} of {1}")
  @MethodSource("refused")
  void aNumberThatDoesNotFitIsRefusedWithBothSides(DType<?, ?> dtype, Number number) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> dtype.of(number))
        .withMessageStartingWith(dtype + " holds ")
        .withMessageEndingWith("not %s (%s)", number, number.getClass().getSimpleName());
  }

  @Test
  void refusalsNameTheRange() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> UINT8.of(300))
        .withMessage("uint8 holds whole numbers from 0 to 255, not 300 (Integer)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FLOAT16.of(7e4))
        .withMessage("float16 holds finite values up to 65504.0, not 70000.0 (Double)");
  }

  @Test
  void aKindOfNumberWithoutDecimalTextIsRefused() {
    Number odd =
        new Number() {
          @Override
          public int intValue() {
            return 3;
          }

          @Override
          public long longValue() {
            return 3;
          }

          @Override
          public float floatValue() {
            return 3;
          }

          @Override
          public double doubleValue() {
            return 3;
          }

          @Override
          public String toString() {
            return "three";
          }
        };

    assertThatIllegalArgumentException()
        .isThrownBy(() -> INT32.of(odd))
        .withMessageStartingWith("int32 from three (");
    assertThatIllegalArgumentException().isThrownBy(() -> FLOAT16.of(odd));
  }

  @Test
  void aDecimalJustAboveTheMiddleRoundsUpThoughItsNearestDoubleIsTheMiddle() {
    BigDecimal little = new BigDecimal("1e-40");

    assertThat(FLOAT16.of(new BigDecimal(1 + 0x1p-11).add(little)))
        .isEqualTo(Float16.of(1 + 0x1p-10));
    assertThat(FLOAT16.of(new BigDecimal(1 + 0x1p-11).subtract(little))).isEqualTo(Float16.of(1));
    assertThat(BFLOAT16.of(new BigDecimal(-1 - 0x1p-8).subtract(little)))
        .isEqualTo(BFloat16.of(-1 - 0x1p-7));
    assertThat(FLOAT32.of(new BigDecimal(1 + 0x1p-24).add(little))).isEqualTo(1 + 0x1p-23f);
    assertThat(FLOAT32.of((1L << 62) + (1L << 38) + 1)).isEqualTo(0x1p62f + 0x1p39f);
    assertThat(FLOAT32.of(new BigDecimal(1 + 0x1p-24))).isEqualTo(1f);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("org.cuarray.Seeds#all")
  void randomDecimalsRoundOnceToAnyPrecision(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 2000; i++) {
      // 11 bits and a tail that starts near the middle between two halves, and goes on for 200
      // bits.
      BigInteger head = BigInteger.valueOf(1024 + random.nextInt(1024)).shiftLeft(201);
      BigInteger middle = BigInteger.ONE.shiftLeft(200);
      BigInteger tail = new BigInteger(random.nextInt(200), random);
      BigInteger digits =
          random.nextBoolean() ? head.add(middle).add(tail) : head.add(middle).subtract(tail);
      BigInteger[] parts = digits.divideAndRemainder(BigInteger.ONE.shiftLeft(201));
      int side = parts[1].compareTo(middle);
      boolean up = side > 0 || (side == 0 && parts[0].testBit(0));
      int expected = parts[0].intValueExact() + (up ? 1 : 0);

      BigDecimal number =
          new BigDecimal(digits).divide(new BigDecimal(BigInteger.ONE.shiftLeft(201)));

      assertThat(FLOAT16.of(number)).as("%s", number).isEqualTo(Float16.of(expected));
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("org.cuarray.Seeds#all")
  void randomDecimalsRoundToTheFloatThatJavaReads(long seed) {
    Random random = new Random(seed);
    MathContext digits = new MathContext(30, RoundingMode.HALF_EVEN);
    for (int i = 0; i < 2000; i++) {
      double anywhere = Float.intBitsToFloat(random.nextInt(0x7F800000));
      BigDecimal number = new BigDecimal(anywhere * (1 + random.nextDouble() / (1 << 23)), digits);
      float expected = Float.parseFloat(number.toString());
      if (Float.isFinite(expected)) {
        assertThat(FLOAT32.of(number)).as("%s", number).isEqualTo(expected);
      }
    }
  }

  @Test
  void elementsReadAsDoublesRoundWhereALongIsTooLong() {
    assertThat(BOOL.toDouble(true)).isEqualTo(1);
    assertThat(BOOL.toDouble(false)).isZero();
    assertThat(UINT8.toDouble(UInt8.of(200))).isEqualTo(200);
    assertThat(INT64.toDouble((1L << 53) + 1)).isEqualTo(0x1p53);
    assertThat(BFLOAT16.toDouble(BFloat16.of(0.5f))).isEqualTo(0.5);
    assertThat(FLOAT64.toDouble(Double.NaN)).isNaN();
    assertThat(COMPLEX64.toDouble(new Complex64(2, -0f))).isEqualTo(2);
  }

  @Test
  void elementsReadAsLongsExactlyOrNotAtAll() {
    assertThat(BOOL.toLong(true)).isEqualTo(1);
    assertThat(UINT8.toLong(UInt8.of(200))).isEqualTo(200);
    assertThat(INT64.toLong(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    assertThat(FLOAT16.toLong(Float16.of(-2048))).isEqualTo(-2048);
    assertThat(FLOAT64.toLong(-0x1p63)).isEqualTo(Long.MIN_VALUE);
    assertThat(COMPLEX128.toLong(new Complex128(3, 0))).isEqualTo(3);
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> FLOAT32.toLong(2.5f))
        .withMessage("float32 2.5 is no whole number of 64 bits; read it as a double");
    assertThatExceptionOfType(ArithmeticException.class).isThrownBy(() -> FLOAT64.toLong(0x1p63));
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> FLOAT64.toLong(Double.NaN));
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> FLOAT32.toLong(Float.POSITIVE_INFINITY));
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> BFLOAT16.toLong(BFloat16.of(0.5)));
  }

  @Test
  void anImaginaryPartIsNeverDropped() {
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> COMPLEX64.toDouble(new Complex64(1, 2)))
        .withMessage(
            "Complex64[re=1.0, im=2.0] is no real number: read the whole element, or its parts");
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> COMPLEX128.toLong(new Complex128(1, Double.NaN)));
  }
}
