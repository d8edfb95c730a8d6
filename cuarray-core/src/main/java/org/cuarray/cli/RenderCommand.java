package org.cuarray.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.cuarray.cli.bench.Report;
import org.cuarray.cli.bench.ReportFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Draws what was measured on a machine that can't draw. */
@Command(name = "render", description = "Draws a report that bench --json wrote.")
final class RenderCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "The report.")
  @SuppressWarnings("NullAway.Init") // picocli sets it
  private Path file;

  @Mixin private final PictureOptions pictures = new PictureOptions();

  @Option(names = "--help", usageHelp = true, description = "Show this and exit.")
  @SuppressWarnings("unused") // picocli looks for its annotation
  private boolean help;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it
  private CommandSpec spec;

  @Override
  public Integer call() {
    if (pictures.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "Say where the drawing goes: --png FILE, --html FILE or both");
    }
    pictures.prepare();
    PrintWriter out = spec.commandLine().getOut();
    pictures.write(read(), out);
    return ExitCode.OK;
  }

  private Report read() {
    try {
      return ReportFile.read(file);
    } catch (IOException e) {
      throw new IllegalArgumentException(file + " can't be read: " + e, e);
    }
  }
}
