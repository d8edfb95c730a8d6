package org.cuarray.cli;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A number of bytes on the command line and in tables, such as {@code 256MiB}.
 *
 * @param bytes at least 1
 */
record ByteSize(long bytes) {
  private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB", "TiB");
  private static final Pattern TEXT =
      Pattern.compile("(\\d{1,18})\\s*(B|KiB|MiB|GiB|TiB|)", Pattern.CASE_INSENSITIVE);

  static ByteSize mebibytes(long count) {
    return new ByteSize(count << 20);
  }

  /** From the command line. */
  static final class Converter implements ITypeConverter<ByteSize> {
    @Override
    public ByteSize convert(String text) {
      Matcher matcher = TEXT.matcher(text.strip());
      if (!matcher.matches()) {
        throw refused(text);
      }
      String unit = matcher.group(2).isEmpty() ? "B" : matcher.group(2);
      long count = Long.parseLong(matcher.group(1));
      int shift = 10 * position(unit);
      if (count == 0 || count > Long.MAX_VALUE >> shift) {
        throw refused(text);
      }
      return new ByteSize(count << shift);
    }

    private static int position(String unit) {
      int position = 0;
      while (!UNITS.get(position).equalsIgnoreCase(unit)) {
        position++;
      }
      return position;
    }

    private static TypeConversionException refused(String text) {
      return new TypeConversionException(
          "\""
              + text
              + "\" is no size: it is a whole number from 1 on and B, KiB, MiB, GiB or TiB");
    }
  }

  /** Exact, in the largest unit of which it is a whole number; else rounded. */
  @Override
  public String toString() {
    int unit = 0;
    long scaled = bytes;
    while (unit < UNITS.size() - 1 && scaled >= 1024 && scaled % 1024 == 0) {
      scaled /= 1024;
      unit++;
    }
    if (scaled < 10_000) {
      return scaled + " " + UNITS.get(unit);
    }
    double rounded = scaled;
    while (unit < UNITS.size() - 1 && rounded >= 1024) {
      rounded /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %s", rounded, UNITS.get(unit));
  }
}
