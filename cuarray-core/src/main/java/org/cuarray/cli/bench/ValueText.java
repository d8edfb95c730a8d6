package org.cuarray.cli.bench;

import java.util.Locale;

/** Measured numbers in as many digits as they deserve: about three. */
public final class ValueText {
  private ValueText() {}

  /**
   * About three digits.
   *
   * @param value at least 0
   * @return such as {@code 396}, {@code 53.4}, {@code 1.52} or {@code 0.031}
   */
  public static String of(double value) {
    String format = value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : value >= 1 ? "%.2f" : "%.3f";
    return value == 0 ? "0" : String.format(Locale.ROOT, format, value);
  }

  /**
   * The median, and between which values most samples lie.
   *
   * @param summary of the samples
   * @param unit its symbol
   * @return such as {@code 1.52 µs (1.49 to 1.60)}
   */
  public static String of(Summary summary, String unit) {
    return "%s %s (%s to %s)"
        .formatted(of(summary.median()), unit, of(summary.p10()), of(summary.p90()));
  }
}
