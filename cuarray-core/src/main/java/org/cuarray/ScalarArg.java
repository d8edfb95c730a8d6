package org.cuarray;

/**
 * A value that a kernel is given.
 *
 * @param type what it is called
 * @param bytes 1, 2, 4, 8 or 16
 * @param low its first eight bytes, from the lowest bit on; those past its size don't count
 * @param high the others
 * @param value for messages
 */
record ScalarArg(String type, int bytes, long low, long high, Object value) implements KernelArg {

  static ScalarArg whole(String type, int bytes, int least, int greatest, int value) {
    if (value < least || value > greatest) {
      throw new IllegalArgumentException(
          "%s holds %d to %d, and was given %d".formatted(type, least, greatest, value));
    }
    return new ScalarArg(type, bytes, value, 0, value);
  }

  @Override
  public String toString() {
    return type + " " + value;
  }
}
