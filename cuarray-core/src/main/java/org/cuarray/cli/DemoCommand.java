package org.cuarray.cli;

import java.io.PrintWriter;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The arguments of the {@link Demo}. */
@Command(
    name = "demo",
    description = {
      "Copies random bytes from every device to every device, in every kind of memory, and checks"
          + " each byte where it arrives.",
      "Ends with 0 only if every byte was right."
    })
final class DemoCommand implements Callable<Integer> {
  private static final ByteSize USUAL_SIZE = ByteSize.mebibytes(256);
  private static final ByteSize USUAL_SIMULATED_SIZE = ByteSize.mebibytes(16);
  private static final int SEEDS = 1_000_000_000;

  @Mixin private final DriverOption driver;

  @Mixin private final ProgressOption progress = new ProgressOption();

  @Option(
      names = "--size",
      paramLabel = "BYTES",
      converter = ByteSize.Converter.class,
      description =
          "Bytes of each copy, such as 4096, 64KiB or 1GiB; without it 256MiB, and 16MiB on a"
              + " simulated machine.")
  private @Nullable ByteSize size;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      description = "Takes the random bytes of an earlier run, which printed its seed.")
  private @Nullable Long seed;

  @Option(names = "--help", usageHelp = true, description = "Show this and exit.")
  @SuppressWarnings("unused") // picocli looks for its annotation
  private boolean help;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it
  private CommandSpec spec;

  DemoCommand(Drivers drivers) {
    driver = new DriverOption(drivers);
  }

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (Machine machine = driver.open(out)) {
      ByteSize usual = machine.isSimulated() ? USUAL_SIMULATED_SIZE : USUAL_SIZE;
      Demo demo =
          new Demo(
              machine,
              size == null ? usual : size,
              seed == null ? new SplittableRandom().nextInt(SEEDS) : seed,
              out);
      return demo.run(progress.start(out)) ? ExitCode.OK : ExitCode.SOFTWARE;
    }
  }
}
