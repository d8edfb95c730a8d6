package org.cuarray;

import java.util.Locale;

/** Numbers of bytes as people read them. */
final class ByteCount {
  private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private ByteCount() {}

  /**
   * The exact number and, from 1 KiB on, the number in the largest fitting unit: {@code "1073741824
   * bytes (1.00 GiB)"}.
   */
  static String text(long bytes) {
    String exact = bytes + (bytes == 1 ? " byte" : " bytes");
    if (bytes < 1024) {
      return exact;
    }
    double scaled = bytes / 1024.0;
    int unit = 0;
    while (scaled >= 1024) {
      scaled /= 1024;
      unit++;
    }
    return exact + String.format(Locale.ROOT, " (%.2f %s)", scaled, UNITS[unit]);
  }
}
