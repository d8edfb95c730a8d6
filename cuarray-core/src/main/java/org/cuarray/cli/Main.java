package org.cuarray.cli;

import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The command line. It ends with 0 where all went well, 1 where something failed or a byte was
 * wrong, and 2 where the arguments make no sense.
 */
@Command(
    name = "cuarray",
    description = "Arrays on several GPUs: what is there, whether copies deliver, and how fast.",
    synopsisSubcommandLabel = "COMMAND")
public final class Main {
  private static final String LOG_FORMAT = "java.util.logging.SimpleFormatter.format";

  @Option(names = "--help", usageHelp = true, description = "Show this and exit.")
  @SuppressWarnings("unused") // picocli looks for its annotation
  private boolean help;

  private Main() {}

  /**
   * Runs the command and ends the process.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String... arguments) {
    // Warnings of the library in one line each, unless the user has a format of their own.
    if (System.getProperty(LOG_FORMAT) == null) {
      System.setProperty(LOG_FORMAT, "%4$s: %5$s%n");
    }
    CommandLine command =
        commandLine(Drivers.ofProcess())
            .setOut(writer(System.out, System.getProperty("stdout.encoding")))
            .setErr(writer(System.err, System.getProperty("stderr.encoding")));
    System.exit(command.execute(arguments));
  }

  /**
   * The command, ready to be executed.
   *
   * @param drivers where the subcommands get theirs from
   * @return with standard output and error, unless it is told otherwise
   */
  public static CommandLine commandLine(Drivers drivers) {
    return new CommandLine(new Main())
        .addSubcommand(new DemoCommand(drivers))
        .addSubcommand(new DevicesCommand(drivers))
        .addSubcommand(new BenchCommand(drivers))
        .setUsageHelpAutoWidth(true)
        .setParameterExceptionHandler(Failures::explainArguments)
        .setExecutionExceptionHandler(Failures::explain);
  }

  /**
   * A charset without arrows is most likely that of a locale that nobody set; the terminal behind
   * it shows UTF-8 all the same.
   */
  private static PrintWriter writer(PrintStream stream, @Nullable String encoding) {
    Charset charset = encoding == null ? Charset.defaultCharset() : Charset.forName(encoding);
    boolean hasArrows = charset.canEncode() && charset.newEncoder().canEncode('→');
    return new PrintWriter(
        new OutputStreamWriter(stream, hasArrows ? charset : StandardCharsets.UTF_8), true);
  }
}
