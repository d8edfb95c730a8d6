package org.cuarray.cli.bench;

import java.util.List;
import java.util.Locale;

/** Numbers of bytes in words. */
public final class ByteText {
  private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB", "TiB");

  private ByteText() {}

  /**
   * In the largest unit of which there is at least one.
   *
   * @param bytes at least 0
   * @return such as {@code 4 KiB}; one decimal where it is no whole number
   */
  public static String of(long bytes) {
    return ofAbout((double) bytes);
  }

  static String ofAbout(double bytes) {
    int unit = 0;
    double scaled = bytes;
    while (scaled >= 1024 && unit < UNITS.size() - 1) {
      scaled /= 1024;
      unit++;
    }
    String number =
        scaled == Math.rint(scaled)
            ? Long.toString((long) scaled)
            : String.format(Locale.ROOT, "%.1f", scaled);
    return number + " " + UNITS.get(unit);
  }
}
