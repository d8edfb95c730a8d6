package org.cuarray;

/**
 * A number in half precision, IEEE 754 binary16 (CUDA's {@code __half}): 11 bits of precision, up
 * to 65504. The element of {@link DType#FLOAT16}.
 *
 * <p>Immutable, so thread-safe. Java 17 computes with floats: convert, compute, convert back.
 */
public final class Float16 extends Number implements Comparable<Float16> {
  private static final int FRACTION_BITS = 10;

  /** Sign, exponent and fraction. */
  private final short bits;

  private Float16(short bits) {
    this.bits = bits;
  }

  /**
   * The nearest value, ties to even.
   *
   * @param value any float; magnitudes from 65520 on become infinite, NaN stays NaN
   * @return the rounded value
   */
  public static Float16 of(float value) {
    return of((double) value);
  }

  /**
   * The nearest value, ties to even, rounded once.
   *
   * @param value any double; magnitudes from 65520 on become infinite, NaN stays NaN
   * @return the rounded value
   */
  public static Float16 of(double value) {
    return new Float16(NarrowFloat.narrow(value, FRACTION_BITS));
  }

  /**
   * The value of the given bits.
   *
   * @param bits sign, exponent and fraction, the sign in the highest bit
   * @return the value, its bits unchanged
   */
  public static Float16 ofBits(short bits) {
    return new Float16(bits);
  }

  /**
   * Rounds floats to the array that carries this type to a device.
   *
   * @param values any floats, rounded as by {@link #of(float)}
   * @return the bits of each, in the same order
   */
  public static short[] pack(float... values) {
    short[] bits = new short[values.length];
    for (int i = 0; i < values.length; i++) {
      bits[i] = NarrowFloat.narrow(values[i], FRACTION_BITS);
    }
    return bits;
  }

  /**
   * Widens the array that carries this type from a device.
   *
   * @param bits the bits of any values
   * @return each value exactly, in the same order
   */
  public static float[] unpack(short... bits) {
    float[] values = new float[bits.length];
    for (int i = 0; i < bits.length; i++) {
      values[i] = NarrowFloat.widen(bits[i], FRACTION_BITS);
    }
    return values;
  }

  /**
   * Sign, exponent and fraction.
   *
   * @return the 16 bits, the sign in the highest
   */
  public short bits() {
    return bits;
  }

  /** The value, exactly. */
  @Override
  public float floatValue() {
    return NarrowFloat.widen(bits, FRACTION_BITS);
  }

  /** The value, exactly. */
  @Override
  public double doubleValue() {
    return floatValue();
  }

  /** The value without its fraction, as by a cast from float. */
  @Override
  public int intValue() {
    return (int) floatValue();
  }

  /** The value without its fraction, as by a cast from float. */
  @Override
  public long longValue() {
    return (long) floatValue();
  }

  /** In the order of {@link Float#compareTo}: -0.0 before 0.0, NaN last. */
  @Override
  public int compareTo(Float16 other) {
    return Float.compare(floatValue(), other.floatValue());
  }

  /** As by {@link Float#equals}: 0.0 and -0.0 differ, all NaNs are equal. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Float16 that && compareTo(that) == 0;
  }

  @Override
  public int hashCode() {
    return Float.hashCode(floatValue());
  }

  /** The value as {@link Float#toString(float)} writes it. */
  @Override
  public String toString() {
    return Float.toString(floatValue());
  }
}
