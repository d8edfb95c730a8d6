package org.cuarray.tests.examples;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.cuarray.CuDevice;
import org.cuarray.cli.bench.Result;
import org.cuarray.cli.bench.Unit;

/** The figures of a run of an example, printed as they come. */
final class ExampleReport {
  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().serializeNulls().disableHtmlEscaping().create();

  private final PrintWriter out;
  private final List<String> devices;
  private final List<Result> results = new ArrayList<>();

  ExampleReport(PrintWriter out, List<CuDevice> devices) {
    this.out = out;
    this.devices = devices.stream().map(device -> device + ": " + device.name()).toList();
  }

  /** All of it. */
  private record Contents(List<String> devices, List<Result> results) {}

  /**
   * Adds a figure beside another.
   *
   * @param target what the ratio should reach, which is better the greater it is; null for none
   */
  void add(String work, Unit unit, double cuarray, double baseline, String against, Double target) {
    Result result = Result.of(work, unit, cuarray, baseline, against, target);
    results.add(result);
    out.printf(
        Locale.ROOT,
        "%s: %.4g %s; %s: %.4g %s; ratio %.3f%s%n",
        work,
        cuarray,
        unit.symbol(),
        against,
        baseline,
        unit.symbol(),
        result.ratio(),
        target == null ? "" : " of %.3f, %s".formatted(target, result.met() ? "met" : "NOT met"));
    out.flush();
  }

  /** Writes them to a file; to none where it is null. */
  void write(Path file) throws IOException {
    if (file != null) {
      Files.writeString(file, GSON.toJson(new Contents(devices, results)) + "\n");
    }
  }
}
