package org.cuarray;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Conversions from any {@link Number} to an element, each from the number's exact value, so that it
 * is rounded once or refused.
 */
final class Numbers {
  private static final double TWO_TO_63 = 0x1p63;

  private Numbers() {}

  /** The number, if it is whole and within the bounds. */
  static long whole(Number number, String dtype, long least, long greatest) {
    long value;
    if (isLong(number)) {
      value = number.longValue();
    } else if (isDouble(number)) {
      double real = number.doubleValue();
      if (!isLong(real)) {
        throw cannotHoldWhole(number, dtype, least, greatest);
      }
      value = (long) real;
    } else {
      try {
        value = decimal(number, dtype).longValueExact();
      } catch (ArithmeticException tooLargeOrNotWhole) {
        throw cannotHoldWhole(number, dtype, least, greatest);
      }
    }
    if (value < least || value > greatest) {
      throw cannotHoldWhole(number, dtype, least, greatest);
    }
    return value;
  }

  /** The nearest double, ties to even. */
  static double nearest(Number number, String dtype) {
    double value = isDouble(number) ? number.doubleValue() : decimal(number, dtype).doubleValue();
    requireHolds(value, number, dtype, Double.MAX_VALUE);
    return value;
  }

  /** The nearest float, ties to even. */
  static float nearestFloat(Number number, String dtype) {
    float value = (float) odd(number, dtype);
    requireHolds(value, number, dtype, Float.MAX_VALUE);
    return value;
  }

  /** The nearest half, ties to even. */
  static Float16 nearestFloat16(Number number, String dtype) {
    Float16 value = Float16.of(odd(number, dtype));
    requireHolds(value.floatValue(), number, dtype, 65504);
    return value;
  }

  /** The nearest bfloat16, ties to even. */
  static BFloat16 nearestBFloat16(Number number, String dtype) {
    BFloat16 value = BFloat16.of(odd(number, dtype));
    requireHolds(value.floatValue(), number, dtype, 0x1.FEp127);
    return value;
  }

  /** The value as a long, for a caller who asked for one. */
  static long exactLong(double value, String dtype) {
    if (!isLong(value)) {
      throw new ArithmeticException(
          dtype + " " + value + " is no whole number of 64 bits; read it as a double");
    }
    return (long) value;
  }

  /**
   * The double next to the exact value whose last bit is 1, or the exact value if that is a double.
   * Rounding this to any format of fewer bits gives what rounding the exact value once would give
   * ("rounding to odd", Boldo and Melquiond 2008); rounding the nearest double would not.
   */
  private static double odd(Number number, String dtype) {
    if (isDouble(number)) {
      return number.doubleValue();
    }
    BigDecimal exact = decimal(number, dtype);
    double nearest = exact.doubleValue();
    if (Double.isInfinite(nearest)) {
      return nearest;
    }
    int side = exact.compareTo(new BigDecimal(nearest));
    boolean even = (Double.doubleToRawLongBits(nearest) & 1) == 0;
    if (side == 0 || !even) {
      return nearest;
    }
    return side > 0 ? Math.nextUp(nearest) : Math.nextDown(nearest);
  }

  private static boolean isLong(double value) {
    return value == Math.rint(value) && value >= -TWO_TO_63 && value < TWO_TO_63;
  }

  private static boolean isLong(Number number) {
    return number instanceof Integer
        || number instanceof Long
        || number instanceof Short
        || number instanceof Byte
        || number instanceof UInt8
        || number instanceof AtomicInteger
        || number instanceof AtomicLong;
  }

  private static boolean isDouble(Number number) {
    return number instanceof Double
        || number instanceof Float
        || number instanceof Float16
        || number instanceof BFloat16;
  }

  private static BigDecimal decimal(Number number, String dtype) {
    if (number instanceof BigDecimal decimal) {
      return decimal;
    }
    if (number instanceof BigInteger integer) {
      return new BigDecimal(integer);
    }
    if (isLong(number)) {
      return BigDecimal.valueOf(number.longValue());
    }
    try {
      // Other kinds (LongAdder, Guava's and Scala's) say in decimal what longValue() may truncate.
      return new BigDecimal(number.toString());
    } catch (NumberFormatException notDecimal) {
      throw new IllegalArgumentException(
          dtype + " from " + describe(number) + ", whose text is no decimal number", notDecimal);
    }
  }

  private static void requireHolds(double rounded, Number number, String dtype, double greatest) {
    boolean finite = !isDouble(number) || Double.isFinite(number.doubleValue());
    if (finite && Double.isInfinite(rounded)) {
      throw new IllegalArgumentException(
          dtype + " holds finite values up to " + greatest + ", not " + describe(number));
    }
  }

  private static IllegalArgumentException cannotHoldWhole(
      Number number, String dtype, long least, long greatest) {
    return new IllegalArgumentException(
        dtype
            + " holds whole numbers from "
            + least
            + " to "
            + greatest
            + ", not "
            + describe(number));
  }

  private static String describe(Number number) {
    return number + " (" + number.getClass().getSimpleName() + ")";
  }
}
