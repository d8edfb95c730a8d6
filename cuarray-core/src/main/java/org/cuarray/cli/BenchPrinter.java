package org.cuarray.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.cuarray.cli.bench.ByteText;
import org.cuarray.cli.bench.Figure;
import org.cuarray.cli.bench.MachineInfo;
import org.cuarray.cli.bench.Report;
import org.cuarray.cli.bench.Result;
import org.cuarray.cli.bench.Row;
import org.cuarray.cli.bench.Skipped;
import org.cuarray.cli.bench.Subject;
import org.cuarray.cli.bench.ValueText;
import org.cuarray.cli.bench.Watcher;

/** Prints figures as they are measured, and at the end the curves and the comparison. */
final class BenchPrinter implements Watcher {
  private static final String LONGEST_WORK = "ping-pong, until the last copy has arrived";

  private final PrintWriter out;
  private final Progress progress;
  private final Table live;
  private boolean headed;

  BenchPrinter(PrintWriter out, Progress progress) {
    this.out = out;
    this.progress = progress;
    this.live =
        new Table(
            out,
            Table.Column.of("work", LONGEST_WORK),
            Table.Column.of("devices", "cuda:0 → cuda:1"),
            Table.Column.ofNumbers("size", "1023.9 KiB"),
            Table.Column.of("cuarray", "0.123 GB/s (0.123 to 0.123)"),
            Table.Column.of("beside it", ""));
  }

  @Override
  public void beforeStep(int done, int all) {
    progress.show(done, all);
  }

  @Override
  public void measured(Subject subject, List<Figure> figures) {
    if (subject.row() == Row.CURVE) {
      return;
    }
    progress.clear();
    if (!headed) {
      headed = true;
      live.header();
    }
    live.row(
        subject.work(),
        subject.devices(),
        ByteText.of(subject.bytes()),
        text(figures.get(0)),
        figures.stream()
            .skip(1)
            .map(figure -> figure.who() + " " + text(figure))
            .collect(Collectors.joining("; ")));
  }

  private static String text(Figure figure) {
    return ValueText.of(figure.value(), figure.unit());
  }

  @Override
  public void skipped(Skipped skipped) {
    progress.clear();
    out.printf("not measured: %s: %s%n", skipped.what(), skipped.why());
  }

  /** Prints what is known only at the end. */
  void print(Report report) {
    progress.clear();
    for (Report.Link link : report.links()) {
      printCurve(report, link);
    }
    if (!report.results().isEmpty()) {
      out.println();
      printResults(report.results());
    }
    out.println();
    out.printf(
        Locale.ROOT,
        "%s%n%s, %.0f s%n",
        machine(report.machine()),
        report.effort(),
        report.seconds());
  }

  private static String machine(MachineInfo machine) {
    return machine.devices().stream()
            .map(device -> "cuda:%d is %s".formatted(device.ordinal(), device.name()))
            .collect(Collectors.joining(", "))
        + "; "
        + machine.java()
        + (machine.isSimulated() ? "; SIMULATED, these figures mean nothing" : "");
  }

  private void printCurve(Report report, Report.Link link) {
    List<Figure> points =
        report.measurements().stream()
            .filter(figure -> figure.row().equals(Row.CURVE.rowName()))
            .filter(figure -> figure.isBetween(link.from(), link.to()))
            .toList();
    if (points.isEmpty()) {
      return;
    }
    List<String> columns = points.stream().map(BenchPrinter::column).distinct().toList();
    out.println();
    out.printf("cuda:%d → cuda:%d, GB/s%n", link.from(), link.to());
    Table.Column[] all = new Table.Column[columns.size() + 1];
    all[0] = Table.Column.ofNumbers("size", "256 MiB");
    for (int i = 0; i < columns.size(); i++) {
      all[i + 1] = Table.Column.ofNumbers(columns.get(i), "0.123");
    }
    Table table = new Table(out, all);
    table.header();
    for (long bytes : new TreeSet<>(points.stream().map(Figure::bytes).toList())) {
      String[] cells = new String[all.length];
      cells[0] = ByteText.of(bytes);
      for (int i = 0; i < columns.size(); i++) {
        cells[i + 1] = cell(points, bytes, columns.get(i)).orElse("");
      }
      table.row(cells);
    }
  }

  private static String column(Figure figure) {
    return figure.isOurs() ? figure.work() : figure.work() + ": " + figure.who();
  }

  private static Optional<String> cell(List<Figure> points, long bytes, String column) {
    return points.stream()
        .filter(figure -> figure.bytes() == bytes && column(figure).equals(column))
        .findFirst()
        .map(figure -> ValueText.of(figure.value().median()));
  }

  private void printResults(List<Result> results) {
    Table table =
        new Table(
            out,
            Table.Column.of("work", works(results)),
            Table.Column.ofNumbers("cuarray", "0.123"),
            Table.Column.ofNumbers("baseline", "0.123"),
            Table.Column.of("unit", "heap bytes"),
            Table.Column.ofNumbers("ratio", "0.123"),
            Table.Column.ofNumbers("target", "0.123"),
            Table.Column.of("met", "yes"),
            Table.Column.of("against", ""));
    table.header();
    for (Result result : results) {
      Double target = result.target();
      Boolean met = result.met();
      table.row(
          result.work(),
          ValueText.of(result.cuarray()),
          ValueText.of(result.baseline()),
          result.unit(),
          ValueText.of(result.ratio()),
          target == null ? "" : ValueText.of(target),
          met == null ? "" : met ? "yes" : "NO",
          result.against());
    }
  }

  private static String[] works(List<Result> results) {
    return results.stream().map(Result::work).toArray(String[]::new);
  }
}
