package org.cuarray.cli.bench;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.knowm.xchart.internal.chartpart.Chart;

/**
 * A report in pictures. Needs XChart, which is an optional dependency, and the module {@code
 * java.desktop}, which a Java runtime for servers may lack; a report can be drawn elsewhere, from
 * its file.
 */
public final class Picture {
  private Picture() {}

  /**
   * Why nothing can be drawn here.
   *
   * @return a sentence that says what to do; empty where nothing is missing
   */
  public static Optional<String> unavailableReason() {
    if (ModuleLayer.boot().findModule("java.desktop").isEmpty()) {
      return Optional.of(
          "this Java runtime can't draw (it lacks the module java.desktop): use --json FILE, and"
              + " elsewhere cuarray bench render FILE");
    }
    try {
      Class.forName("org.knowm.xchart.XYChart", false, Picture.class.getClassLoader());
      return Optional.empty();
    } catch (ClassNotFoundException e) {
      return Optional.of("XChart is not on the class path (org.knowm.xchart:xchart)");
    }
  }

  /**
   * Draws all charts into one picture.
   *
   * @param report what to draw
   * @param file where; replaced where it exists
   * @throws IOException where it can't be written
   * @throws IllegalArgumentException where the report has no figures to draw
   */
  public static void writePng(Report report, Path file) throws IOException {
    List<Chart<?, ?>> charts = charts(report);
    if (charts.isEmpty()) {
      throw new IllegalArgumentException(
          "the report has no curve and no pair of devices, so there is nothing to draw");
    }
    try (OutputStream out = Files.newOutputStream(file)) {
      Charts.writePng(charts, out);
    }
  }

  /**
   * Writes charts and all figures as one page that needs no other file.
   *
   * @param report what to show
   * @param file where; replaced where it exists
   * @throws IOException where it can't be written
   */
  public static void writeHtml(Report report, Path file) throws IOException {
    Files.writeString(file, HtmlPage.of(report, charts(report)));
  }

  private static List<Chart<?, ?>> charts(Report report) {
    System.setProperty("java.awt.headless", "true");
    return Charts.of(report);
  }
}
