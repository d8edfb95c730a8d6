package org.cuarray.cli.bench;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializer;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reports as JSON files. Needs Gson, which is an optional dependency. */
public final class ReportFile {
  private static final MathContext DIGITS = new MathContext(6);

  /** Six digits are more than any clock here deserves. */
  private static final JsonSerializer<Double> ROUNDED =
      (number, type, context) -> new JsonPrimitive(rounded(number));

  private static final Gson GSON =
      new GsonBuilder()
          .setPrettyPrinting()
          .serializeNulls()
          .disableHtmlEscaping()
          .registerTypeAdapter(double.class, ROUNDED)
          .registerTypeAdapter(Double.class, ROUNDED)
          .create();

  private ReportFile() {}

  /** Written without an exponent. */
  private static BigDecimal rounded(double number) {
    BigDecimal digits = new BigDecimal(number).round(DIGITS).stripTrailingZeros();
    return digits.scale() < 0 ? digits.setScale(0) : digits;
  }

  /**
   * Writes a report.
   *
   * @param report what to write
   * @param file where; replaced where it exists
   * @throws IOException where it can't be written
   */
  public static void write(Report report, Path file) throws IOException {
    Files.writeString(file, GSON.toJson(report) + "\n");
  }

  /**
   * Reads a report.
   *
   * @param file that {@link #write} wrote, or the script {@code compare} added to
   * @return the report
   * @throws IOException where it can't be read
   * @throws IllegalArgumentException where it is no report, or of another shape
   */
  public static Report read(Path file) throws IOException {
    @Nullable Report report;
    try {
      report = GSON.fromJson(Files.readString(file), Report.class);
    } catch (JsonParseException e) {
      throw new IllegalArgumentException(file + " is no report of cuarray bench", e);
    }
    if (report == null || report.schema() != Report.SCHEMA) {
      throw new IllegalArgumentException(
          "%s is no report of cuarray bench in shape %d".formatted(file, Report.SCHEMA));
    }
    return report;
  }
}
