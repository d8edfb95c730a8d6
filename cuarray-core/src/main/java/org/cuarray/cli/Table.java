package org.cuarray.cli;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;

/**
 * A table whose rows are printed as they come, so the widths of its columns are settled before. The
 * last column may be as long as it likes.
 */
final class Table {
  private static final String GAP = "  ";

  /**
   * A column.
   *
   * @param header above it
   * @param format of a cell, padded to the width
   */
  record Column(String header, String format) {
    /** A column for text. */
    static Column of(String header, String... longest) {
      return new Column(header, "%-" + width(header, longest) + "s");
    }

    /** A column for numbers, which end below each other. */
    static Column ofNumbers(String header, String... longest) {
      return new Column(header, "%" + width(header, longest) + "s");
    }

    private static int width(String header, String... longest) {
      return Arrays.stream(longest)
          .mapToInt(String::length)
          .reduce(header.length(), (a, b) -> Math.max(a, b));
    }
  }

  private final PrintWriter out;
  private final List<Column> columns;

  Table(PrintWriter out, Column... columns) {
    this.out = out;
    this.columns = List.of(columns);
  }

  /** Prints the first line. */
  void header() {
    row(columns.stream().map(Column::header).toArray(String[]::new));
  }

  /** Prints one line, a cell for each column. */
  void row(String... cells) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.length; i++) {
      line.append(i == 0 ? "" : GAP).append(columns.get(i).format().formatted(cells[i]));
    }
    out.println(line.toString().stripTrailing());
  }
}
