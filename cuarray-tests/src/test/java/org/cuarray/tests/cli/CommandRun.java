package org.cuarray.tests.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.logging.Filter;
import java.util.logging.Logger;
import org.cuarray.cli.Drivers;
import org.cuarray.cli.Main;

/**
 * What a command line did.
 *
 * @param exitCode of the process
 * @param out what went to standard output
 * @param err what went to standard error
 */
record CommandRun(int exitCode, String out, String err) {
  private static final Logger LIBRARY = Logger.getLogger("org.cuarray");

  static CommandRun of(Drivers drivers, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    // The warnings about links that lie are what a liar is for.
    Filter before = LIBRARY.getFilter();
    LIBRARY.setFilter(record -> false);
    int exitCode;
    try {
      exitCode =
          Main.commandLine(drivers)
              .setOut(new PrintWriter(out))
              .setErr(new PrintWriter(err))
              .execute(arguments);
    } finally {
      LIBRARY.setFilter(before);
    }
    return new CommandRun(exitCode, out.toString(), err.toString());
  }

  String firstLine() {
    return out.lines().findFirst().orElse("");
  }

  String lastLine() {
    return out.lines().reduce("", (before, line) -> line);
  }

  /** The lines of the table that are about a device. */
  List<String> rows() {
    return out.lines().filter(line -> line.startsWith("cuda:")).toList();
  }

  List<String> rows(String from, String to) {
    return rows().stream().filter(row -> row.matches(from + " +" + to + " .*")).toList();
  }
}
