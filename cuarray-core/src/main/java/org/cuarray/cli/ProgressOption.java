package org.cuarray.cli;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether a command shows how far it has come. */
final class ProgressOption {
  @Option(
      names = "--progress",
      negatable = true,
      description = "Show a progress bar, or don't; without it, only on a terminal.")
  private @Nullable Boolean asked;

  Progress start(PrintWriter out) {
    boolean shown = asked == null ? Terminal.isStandardOutput() : asked;
    return shown ? new ProgressBar(out) : Progress.NONE;
  }
}
