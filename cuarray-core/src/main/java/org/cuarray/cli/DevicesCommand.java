package org.cuarray.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows the devices and the links between them. */
@Command(
    name = "devices",
    description = "Shows the devices, and what is known of the peer links between them.")
final class DevicesCommand implements Callable<Integer> {
  @Mixin private final DriverOption driver;

  @Mixin private final ProgressOption progress = new ProgressOption();

  @Option(
      names = "--prove",
      description =
          "Try every link, in every kind of memory; without it nothing is tried, and no device"
              + " is used.")
  private boolean prove;

  @Option(names = "--help", usageHelp = true, description = "Show this and exit.")
  @SuppressWarnings("unused") // picocli looks for its annotation
  private boolean help;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it
  private CommandSpec spec;

  DevicesCommand(Drivers drivers) {
    driver = new DriverOption(drivers);
  }

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (Machine machine = driver.open(out)) {
      DeviceList.print(machine, out);
      LinkMatrix links = new LinkMatrix(machine.cuda());
      if (prove) {
        links.prove(progress.start(out));
      }
      links.print(out);
    }
    return ExitCode.OK;
  }
}
