package org.cuarray.tests.examples;

import org.cuarray.CuUnavailableException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** Runs the examples. The process ends with 0 where all checks held. */
@Command(
    name = "example",
    description = "Programs on several GPUs: checked, and measured beside one GPU.",
    synopsisSubcommandLabel = "EXAMPLE",
    subcommands = {JacobiCommand.class, GemmCommand.class, PipelineCommand.class})
public final class ExampleMain {
  @Option(names = "--help", usageHelp = true, description = "Show this and exit.")
  @SuppressWarnings("unused") // picocli looks for its annotation
  private boolean help;

  private ExampleMain() {}

  /**
   * Runs an example and ends the process.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String... arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /**
   * The command, ready to be executed.
   *
   * @return with standard output and error, unless it is told otherwise
   */
  public static CommandLine commandLine() {
    return new CommandLine(new ExampleMain())
        .setUsageHelpAutoWidth(true)
        .setExecutionExceptionHandler(ExampleMain::explain);
  }

  /** A machine or options that do not fit are one line; anything else is a failure to be traced. */
  private static int explain(Exception failure, CommandLine command, ParseResult arguments)
      throws Exception {
    if (failure instanceof CuUnavailableException || failure instanceof IllegalArgumentException) {
      command.getErr().println(failure.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    }
    throw failure;
  }
}
