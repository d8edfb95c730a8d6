package org.cuarray;

/**
 * IEEE 754 binary formats of 16 bits, told apart by how many of them are fraction: 10 for half
 * precision, 7 for bfloat16. Java 17 has neither.
 */
final class NarrowFloat {
  private static final int DOUBLE_FRACTION_BITS = 52;
  private static final int DOUBLE_BIAS = 1023;
  private static final long DOUBLE_FRACTION_MASK = (1L << DOUBLE_FRACTION_BITS) - 1;

  private NarrowFloat() {}

  /**
   * The nearest value of the format, ties to even, with the sign, infinities and subnormal values
   * that IEEE 754 asks for. A NaN keeps its sign and the upper bits of its payload, and is quiet.
   */
  static short narrow(double value, int fractionBits) {
    long bits = Double.doubleToRawLongBits(value);
    int sign = (int) (bits >>> 48) & 0x8000;
    int bias = bias(fractionBits);
    int infinity = (2 * bias + 1) << fractionBits;
    long fraction = bits & DOUBLE_FRACTION_MASK;
    int biasedExponent = (int) (bits >>> DOUBLE_FRACTION_BITS) & 0x7FF;
    if (biasedExponent == 0x7FF && fraction != 0) {
      int quiet = 1 << (fractionBits - 1);
      int payload = (int) (fraction >>> (DOUBLE_FRACTION_BITS - fractionBits));
      return (short) (sign | infinity | quiet | payload);
    }
    int exponent = biasedExponent - DOUBLE_BIAS;
    if (exponent > bias) {
      return (short) (sign | infinity);
    }
    int leastExponent = 1 - bias;
    int shift = DOUBLE_FRACTION_BITS - fractionBits + Math.max(0, leastExponent - exponent);
    if (shift > DOUBLE_FRACTION_BITS + 1) {
      return (short) sign; // below half of the least subnormal value; doubles' own are far below
    }
    long significand = fraction | (1L << DOUBLE_FRACTION_BITS);
    // Half of the last kept bit, less the least bit where that one is even: ties go to even.
    long rounding = (1L << (shift - 1)) - 1 + ((significand >>> shift) & 1);
    long kept = (significand + rounding) >>> shift;
    // Rounding that carries into the next binade, or into infinity, carries into the exponent.
    int magnitude = ((Math.max(exponent, leastExponent) + bias - 1) << fractionBits) + (int) kept;
    return (short) (sign | magnitude);
  }

  /** The value of the bits, which a float holds exactly. */
  static float widen(short bits, int fractionBits) {
    int bias = bias(fractionBits);
    int sign = (bits & 0x8000) << 16;
    int magnitude = bits & 0x7FFF;
    int exponent = magnitude >>> fractionBits;
    int fraction = magnitude & ((1 << fractionBits) - 1);
    if (exponent == 2 * bias + 1) {
      return Float.intBitsToFloat(sign | 0x7F800000 | (fraction << (23 - fractionBits)));
    }
    if (exponent == 0) {
      float subnormal = Math.scalb((float) fraction, 1 - bias - fractionBits);
      return sign == 0 ? subnormal : -subnormal;
    }
    return Float.intBitsToFloat(
        sign | ((exponent - bias + 127) << 23) | (fraction << (23 - fractionBits)));
  }

  private static int bias(int fractionBits) {
    return (1 << (14 - fractionBits)) - 1;
  }
}
