package org.cuarray;

/**
 * A whole number from 0 to 255, the element of {@link DType#UINT8}. Java's byte is signed.
 *
 * <p>Immutable, so thread-safe.
 */
public final class UInt8 extends Number implements Comparable<UInt8> {
  private static final UInt8[] ALL = new UInt8[256];

  static {
    for (int value = 0; value < ALL.length; value++) {
      ALL[value] = new UInt8(value);
    }
  }

  /** 0 to 255. */
  private final int value;

  private UInt8(int value) {
    this.value = value;
  }

  /**
   * The number as an element.
   *
   * @param value 0 to 255
   * @return the element
   * @throws IllegalArgumentException if the value is outside 0 to 255
   */
  public static UInt8 of(int value) {
    if (value < 0 || value >= ALL.length) {
      throw new IllegalArgumentException("uint8 holds 0 to 255, not " + value);
    }
    return ALL[value];
  }

  /**
   * The value of the given bits, as {@code byte[]} carries them.
   *
   * @param bits eight bits, read as unsigned
   * @return the element
   */
  public static UInt8 ofBits(byte bits) {
    return ALL[bits & 0xFF];
  }

  /**
   * The eight bits, as {@code byte[]} carries them.
   *
   * @return the value as a byte, so -1 for 255
   */
  public byte bits() {
    return (byte) value;
  }

  @Override
  public int intValue() {
    return value;
  }

  @Override
  public long longValue() {
    return value;
  }

  @Override
  public float floatValue() {
    return value;
  }

  @Override
  public double doubleValue() {
    return value;
  }

  /** By value, 0 first. */
  @Override
  public int compareTo(UInt8 other) {
    return Integer.compare(value, other.value);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof UInt8 that && value == that.value;
  }

  @Override
  public int hashCode() {
    return value;
  }

  /** The number in decimal. */
  @Override
  public String toString() {
    return Integer.toString(value);
  }
}
