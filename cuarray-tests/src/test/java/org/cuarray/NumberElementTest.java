package org.cuarray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.common.testing.EqualsTester;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** UInt8, Float16, BFloat16 and the complex numbers as Java values. */
class NumberElementTest {

  @Test
  void everyUInt8KeepsItsValueAndItsBits() {
    for (int value = 0; value < 256; value++) {
      UInt8 element = UInt8.of(value);
      assertThat(element.intValue()).isEqualTo(value);
      assertThat(element.longValue()).isEqualTo(value);
      assertThat(element.floatValue()).isEqualTo(value);
      assertThat(element.doubleValue()).isEqualTo(value);
      assertThat(element.bits()).isEqualTo((byte) value);
      assertThat(UInt8.ofBits((byte) value)).isEqualTo(element);
      assertThat(element).hasToString(Integer.toString(value));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 256, Integer.MIN_VALUE, Integer.MAX_VALUE})
  void uint8RefusesWhatEightBitsCannotHold(int value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> UInt8.of(value))
        .withMessage("uint8 holds 0 to 255, not " + value);
  }

  @Test
  void equalityIsThatOfTheValueAndAllNotANumbersAreEqual() {
    new EqualsTester()
        .addEqualityGroup(UInt8.of(200), UInt8.ofBits((byte) 200))
        .addEqualityGroup(UInt8.of(201))
        .addEqualityGroup(Float16.of(1.5f), Float16.of(1.5), Float16.ofBits((short) 0x3E00))
        .addEqualityGroup(Float16.of(0f), Float16.of(1e-20))
        .addEqualityGroup(Float16.of(-0f))
        .addEqualityGroup(Float16.of(Float.NaN), Float16.ofBits((short) 0xFE01))
        .addEqualityGroup(BFloat16.of(1.5f), BFloat16.of(1.5), BFloat16.ofBits((short) 0x3FC0))
        .addEqualityGroup(BFloat16.of(-0f))
        .addEqualityGroup(BFloat16.of(Float.NaN), BFloat16.ofBits((short) 0xFFC1))
        .addEqualityGroup(new Complex64(1, 2), new Complex64(1, 2))
        .addEqualityGroup(new Complex64(2, 1))
        .addEqualityGroup(new Complex128(1, 2), new Complex128(1, 2))
        .testEquals();
  }

  @Test
  void elementsAreInNumericOrderWithNegativeZeroBelowZeroAndNotANumberLast() {
    assertThat(UInt8.ofBits((byte) -1)).isGreaterThan(UInt8.of(127));
    assertThat(Float16.of(-2f)).isLessThan(Float16.of(-1f));
    assertThat(Float16.of(-0f)).isLessThan(Float16.of(0f));
    assertThat(Float16.of(Float.NaN)).isGreaterThan(Float16.of(Float.POSITIVE_INFINITY));
    assertThat(BFloat16.of(-2f)).isLessThan(BFloat16.of(-1f));
    assertThat(BFloat16.of(-0f)).isLessThan(BFloat16.of(0f));
    assertThat(BFloat16.of(Float.NaN)).isGreaterThan(BFloat16.of(Float.POSITIVE_INFINITY));
  }

  @Test
  void narrowFloatsConvertToOtherNumbersAsFloatsDo() {
    assertThat(Float16.of(-2.75f).intValue()).isEqualTo(-2);
    assertThat(Float16.of(-2.75f).longValue()).isEqualTo(-2);
    assertThat(Float16.of(-2.75f).doubleValue()).isEqualTo(-2.75);
    assertThat(Float16.of(-2.75f)).hasToString("-2.75");
    assertThat(BFloat16.of(0x1p40f).intValue()).isEqualTo(Integer.MAX_VALUE);
    assertThat(BFloat16.of(0x1p40f).longValue()).isEqualTo(1L << 40);
    assertThat(BFloat16.of(0x1p40f).doubleValue()).isEqualTo(0x1p40);
    assertThat(BFloat16.of(1f / 3)).hasToString("0.33398438");
  }
}
