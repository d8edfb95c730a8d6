package org.cuarray.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.cuarray.cli.bench.Picture;
import org.cuarray.cli.bench.Report;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where pictures of a report go. */
final class PictureOptions {
  @Option(
      names = "--png",
      paramLabel = "FILE",
      description = "Draw bandwidth over size, and from each device to each, as a picture.")
  private @Nullable Path png;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Write pictures and figures as one page that needs no other file.")
  private @Nullable Path html;

  boolean isEmpty() {
    return png == null && html == null;
  }

  /**
   * Checks that what is asked for can be drawn and written, before anything is measured.
   *
   * @throws IllegalArgumentException where it can't, with the reason
   */
  void prepare() {
    if (isEmpty()) {
      return;
    }
    Picture.unavailableReason()
        .ifPresent(
            reason -> {
              throw new IllegalArgumentException(reason);
            });
    Stream.of(Optional.ofNullable(png), Optional.ofNullable(html))
        .flatMap(Optional::stream)
        .forEach(OutputFiles::prepare);
  }

  void write(Report report, PrintWriter out) {
    Path picture = png;
    if (picture != null) {
      OutputFiles.write(out, "picture", picture, () -> Picture.writePng(report, picture));
    }
    Path page = html;
    if (page != null) {
      OutputFiles.write(out, "page", page, () -> Picture.writeHtml(report, page));
    }
  }
}
