package org.cuarray;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Random;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Float16 and BFloat16 against a slow reference made of their definitions. */
class NarrowFloatTest {

  /** A format, and how this library converts it. */
  private record Format(
      String name,
      int fractionBits,
      int bias,
      Function<Float, Short> ofFloat,
      DoubleFunction<Short> ofDouble,
      Function<Short, Float> floatValue,
      Function<float[], short[]> pack,
      Function<short[], float[]> unpack) {

    @Override
    public String toString() {
      return name;
    }

    /** Bits of positive infinity; those of the finite values are all below. */
    int infinity() {
      return (2 * bias + 1) << fractionBits;
    }

    /** IEEE 754's definition, for bits without a sign; infinity counts as the next power of two. */
    double valueOf(int magnitude) {
      int exponent = magnitude >>> fractionBits;
      double fraction = (magnitude % (1 << fractionBits)) / (double) (1 << fractionBits);
      return exponent == 0
          ? fraction * Math.pow(2, 1 - bias)
          : (1 + fraction) * Math.pow(2, exponent - bias);
    }

    /** The nearest value's bits, found among all values, by exact distances. */
    int nearest(double value) {
      double[] values = new double[infinity() + 1];
      Arrays.setAll(values, this::valueOf);
      int found = Arrays.binarySearch(values, Math.abs(value));
      int sign = Double.doubleToRawLongBits(value) < 0 ? 0x8000 : 0;
      if (found >= 0 || found == -values.length - 1) {
        return sign | (found >= 0 ? found : infinity());
      }
      int above = -found - 1;
      int below = above - 1;
      BigDecimal exact = new BigDecimal(Math.abs(value));
      int closer =
          exact
              .subtract(new BigDecimal(values[below]))
              .compareTo(new BigDecimal(values[above]).subtract(exact));
      boolean down = closer < 0 || (closer == 0 && below % 2 == 0);
      return sign | (down ? below : above);
    }
  }

  static Stream<Format> formats() {
    return Stream.of(
        new Format(
            "float16",
            10,
            15,
            value -> Float16.of(value).bits(),
            value -> Float16.of(value).bits(),
            bits -> Float16.ofBits(bits).floatValue(),
            Float16::pack,
            Float16::unpack),
        new Format(
            "bfloat16",
            7,
            127,
            value -> BFloat16.of(value).bits(),
            value -> BFloat16.of(value).bits(),
            bits -> BFloat16.ofBits(bits).floatValue(),
            BFloat16::pack,
            BFloat16::unpack));
  }

  static Stream<Arguments> formatsAndSeeds() {
    return formats().flatMap(format -> Seeds.all().mapToObj(seed -> Arguments.of(format, seed)));
  }

  @ParameterizedTest
  @MethodSource("formats")
  void everyBitPatternHasTheValueOfItsDefinition(Format format) {
    for (int magnitude = 0; magnitude < format.infinity(); magnitude++) {
      assertThat(format.floatValue.apply((short) magnitude))
          .isEqualTo((float) format.valueOf(magnitude));
      assertThat(format.floatValue.apply((short) (magnitude | 0x8000)))
          .isEqualTo((float) -format.valueOf(magnitude));
    }
    assertThat(format.floatValue.apply((short) format.infinity())).isEqualTo(1 / 0f);
    assertThat(format.floatValue.apply((short) (format.infinity() | 0x8000))).isEqualTo(-1 / 0f);
    for (int magnitude = format.infinity() + 1; magnitude < 0x8000; magnitude++) {
      assertThat(format.floatValue.apply((short) magnitude)).isNaN();
      assertThat(format.floatValue.apply((short) (magnitude | 0x8000))).isNaN();
    }
  }

  @ParameterizedTest
  @MethodSource("formats")
  void everyBitPatternSurvivesTheWayThroughFloat(Format format) {
    int quiet = 1 << (format.fractionBits - 1);
    for (int bits = 0; bits < 0x10000; bits++) {
      float value = format.floatValue.apply((short) bits);
      int expected = Float.isNaN(value) ? bits | quiet : bits;
      assertThat(format.ofFloat.apply(value) & 0xFFFF).as("bits %#x", bits).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @MethodSource("formats")
  void betweenAllNeighboursTheMiddleGoesToEvenAndTheRestToTheNearest(Format format) {
    for (int below = 0; below < format.infinity(); below++) {
      double middle = (format.valueOf(below) + format.valueOf(below + 1)) / 2;
      int even = below + below % 2;
      assertThat(format.ofDouble.apply(middle)).as("%s", middle).isEqualTo((short) even);
      assertThat(format.ofDouble.apply(-middle)).isEqualTo((short) (even | 0x8000));
      assertThat(format.ofDouble.apply(Math.nextUp(middle))).isEqualTo((short) (below + 1));
      assertThat(format.ofDouble.apply(Math.nextDown(middle))).isEqualTo((short) below);
    }
  }

  @ParameterizedTest
  @MethodSource("formats")
  void betweenAllNeighboursFloatsRoundAsDoublesDo(Format format) {
    for (int below = 0; below < format.infinity(); below++) {
      float middle = (float) ((format.valueOf(below) + format.valueOf(below + 1)) / 2);
      for (float value : new float[] {Math.nextDown(middle), middle, Math.nextUp(middle)}) {
        assertThat(format.ofFloat.apply(value)).isEqualTo(format.ofDouble.apply(value));
      }
    }
  }

  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("formatsAndSeeds")
  void randomFloatsRoundAsTheReferenceDoes(Format format, long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 200; i++) {
      float anywhere = Float.intBitsToFloat(random.nextInt());
      float inRange = format.floatValue.apply((short) random.nextInt(format.infinity()));
      float near = inRange * (1 + random.nextFloat() / (2 << format.fractionBits));
      for (float value : new float[] {anywhere, near, -near}) {
        if (!Float.isNaN(value)) {
          assertThat(format.ofFloat.apply(value) & 0xFFFF)
              .as("%s", value)
              .isEqualTo(format.nearest(value));
        }
      }
    }
  }

  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("formatsAndSeeds")
  void randomDoublesRoundOnce(Format format, long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 200; i++) {
      double anywhere = Double.longBitsToDouble(random.nextLong());
      double least = format.valueOf(1);
      double subnormal = random.nextDouble() * least * (1 << format.fractionBits);
      double large = format.valueOf(format.infinity()) * (0.99 + random.nextDouble() / 50);
      for (double value : new double[] {anywhere, subnormal, -subnormal, large, -large}) {
        if (!Double.isNaN(value)) {
          assertThat(format.ofDouble.apply(value) & 0xFFFF)
              .as("%s", value)
              .isEqualTo(format.nearest(value));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("formats")
  void extremesRoundToZeroAndInfinityWithTheirSign(Format format) {
    short infinity = (short) format.infinity();
    assertThat(format.ofDouble.apply(Double.MAX_VALUE)).isEqualTo(infinity);
    assertThat(format.ofDouble.apply(Double.NEGATIVE_INFINITY))
        .isEqualTo((short) (infinity | 0x8000));
    assertThat(format.ofDouble.apply(Double.MIN_VALUE)).isZero();
    assertThat(format.ofDouble.apply(-Double.MIN_VALUE)).isEqualTo((short) 0x8000);
    assertThat(format.ofDouble.apply(-0.0)).isEqualTo((short) 0x8000);
    assertThat(format.ofDouble.apply(format.valueOf(1) / 2)).isZero();
    assertThat(format.ofDouble.apply(Math.nextUp(format.valueOf(1) / 2))).isEqualTo((short) 1);
  }

  @ParameterizedTest
  @MethodSource("formats")
  void notANumberKeepsItsSignAndThePayloadThatFits(Format format) {
    int quiet = 1 << (format.fractionBits - 1);
    int highestBelowQuiet = quiet >> 1;
    float positive = Float.intBitsToFloat(0x7FC00000 | 0x00200000);
    float negative = Float.intBitsToFloat(0xFFC00001);

    assertThat(format.ofFloat.apply(positive))
        .isEqualTo((short) (format.infinity() | quiet | highestBelowQuiet));
    assertThat(format.ofFloat.apply(negative))
        .isEqualTo((short) (0x8000 | format.infinity() | quiet));
  }

  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("formatsAndSeeds")
  void packAndUnpackConvertEachInOrder(Format format, long seed) {
    Random random = new Random(seed);
    float[] values = new float[1000];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }

    short[] packed = format.pack.apply(values);
    float[] unpacked = format.unpack.apply(packed);

    assertThat(packed).hasSameSizeAs(values);
    for (int i = 0; i < values.length; i++) {
      assertThat(packed[i]).isEqualTo(format.ofFloat.apply(values[i]));
      assertThat(unpacked[i]).isEqualTo(format.floatValue.apply(packed[i]));
    }
  }
}
