package org.cuarray.cli.bench;

import org.jspecify.annotations.Nullable;

/**
 * What is measured.
 *
 * @param row the group it belongs to
 * @param work in words
 * @param from ordinal of the device that the bytes come from, or null
 * @param to ordinal of the device that the bytes go to, or null
 * @param bytes of one copy or allocation
 * @param unit of the figure
 */
public record Subject(
    Row row, String work, @Nullable Integer from, @Nullable Integer to, long bytes, Unit unit) {

  static Subject between(Pair pair, Row row, String work, long bytes, Unit unit) {
    return new Subject(row, work, pair.from(), pair.to(), bytes, unit);
  }

  static Subject on(int device, Row row, String work, long bytes, Unit unit) {
    return new Subject(row, work, device, device, bytes, unit);
  }

  static Subject upload(int device, Row row, String work, long bytes, Unit unit) {
    return new Subject(row, work, null, device, bytes, unit);
  }

  static Subject download(int device, Row row, String work, long bytes, Unit unit) {
    return new Subject(row, work, device, null, bytes, unit);
  }

  /** The devices, such as {@code cuda:0 → cuda:1}, {@code cuda:0} or {@code host → cuda:0}. */
  public String devices() {
    if (from != null && from.equals(to)) {
      return place(from);
    }
    return place(from) + " → " + place(to);
  }

  private static String place(@Nullable Integer ordinal) {
    return ordinal == null ? "host" : "cuda:" + ordinal;
  }

  Figure figure(String who, Summary value) {
    return new Figure(row.rowName(), work, who, from, to, bytes, unit.symbol(), value);
  }
}
