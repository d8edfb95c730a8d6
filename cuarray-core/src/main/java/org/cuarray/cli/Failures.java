package org.cuarray.cli;

import java.io.PrintWriter;
import org.cuarray.CuException;
import org.cuarray.CuUnavailableException;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says in one paragraph why the command failed; a stack trace is for what nobody expected. */
final class Failures {
  private Failures() {}

  /** What is wrong with the arguments. */
  static int explainArguments(ParameterException failure, String[] arguments) {
    CommandLine command = failure.getCommandLine();
    PrintWriter err = command.getErr();
    err.println(message(failure));
    UnmatchedArgumentException.printSuggestions(failure, err);
    if (command.getSubcommands().isEmpty()) {
      err.printf("See %s --help%n", command.getCommandSpec().qualifiedName());
    } else {
      command.usage(err);
    }
    return ExitCode.USAGE;
  }

  /** What went wrong while the command ran. */
  static int explain(Exception failure, CommandLine command, ParseResult arguments)
      throws Exception {
    if (failure instanceof CuUnavailableException) {
      command
          .getErr()
          .printf(
              "%s Without a GPU, --driver %s runs this on a simulated machine.%n",
              message(failure), DriverOption.SUBSTITUTE);
    } else if (failure instanceof CuException || failure instanceof IllegalArgumentException) {
      command.getErr().println(message(failure));
    } else {
      throw failure;
    }
    return ExitCode.SOFTWARE;
  }

  /** What an exception says: one line of whole sentences. */
  static String message(Exception failure) {
    String message = failure.getMessage();
    String line = message == null ? failure.toString() : message.replaceAll("\\s+", " ").strip();
    return line.matches(".*[.!?]") ? line : line + ".";
  }
}
