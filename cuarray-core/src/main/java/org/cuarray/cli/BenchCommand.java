package org.cuarray.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.cuarray.cli.bench.Benchmark;
import org.cuarray.cli.bench.Effort;
import org.cuarray.cli.bench.Report;
import org.cuarray.cli.bench.ReportFile;
import org.cuarray.cli.bench.Row;
import org.cuarray.driver.CudaDriver;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The arguments of the {@link Benchmark}. */
@Command(
    name = "bench",
    description = {
      "Measures copies, allocations, uploads and downloads beside the bare driver calls, in one"
          + " run. Nothing else should run on the machine.",
      "A figure is the median, and in parentheses the range of eight in ten samples."
    },
    subcommands = RenderCommand.class)
final class BenchCommand implements Callable<Integer> {
  private static final ByteSize USUAL_SIZE = new ByteSize(1L << 30);
  private static final ByteSize USUAL_SIMULATED_SIZE = ByteSize.mebibytes(4);
  private static final ByteSize LARGEST = new ByteSize(4L << 30);

  @Mixin private final DriverOption driver;

  @Mixin private final ProgressOption progress = new ProgressOption();

  @Mixin private final PictureOptions pictures = new PictureOptions();

  @Option(names = "--quick", description = "Measure for about a minute instead of some.")
  private boolean quick;

  @Option(
      names = "--only",
      paramLabel = "ROW",
      split = ",",
      converter = RowConverter.class,
      completionCandidates = RowNames.class,
      description = "Measure only some rows: ${COMPLETION-CANDIDATES}.")
  private @Nullable List<Row> only;

  @Option(
      names = "--size",
      paramLabel = "BYTES",
      converter = ByteSize.Converter.class,
      description =
          "Bytes of a large copy; without it 1GiB, and 4MiB on a simulated machine. Less where the"
              + " devices have no room for it.")
  private @Nullable ByteSize size;

  @Option(
      names = "--sizes",
      paramLabel = "BYTES",
      split = ",",
      converter = ByteSize.Converter.class,
      description = "Sizes of the curve; without it from 4B to 4GiB.")
  private @Nullable List<ByteSize> sizes;

  @Option(
      names = "--time",
      paramLabel = "FACTOR",
      defaultValue = "1",
      showDefaultValue = Visibility.NEVER,
      description = "Measure everything for so many times as long; below 1 only to try it out.")
  private double time;

  @Option(names = "--json", paramLabel = "FILE", description = "Write every figure to a file.")
  private @Nullable Path json;

  @Option(names = "--help", usageHelp = true, description = "Show this and exit.")
  @SuppressWarnings("unused") // picocli looks for its annotation
  private boolean help;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it
  private CommandSpec spec;

  BenchCommand(Drivers drivers) {
    driver = new DriverOption(drivers);
  }

  /** For {@code --only}. */
  static final class RowConverter implements ITypeConverter<Row> {
    @Override
    public Row convert(String name) {
      try {
        return Row.named(name);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }

  /** For {@code --help}. */
  static final class RowNames extends ArrayList<String> {
    RowNames() {
      for (Row row : Row.values()) {
        add(row.rowName());
      }
    }
  }

  @Override
  public Integer call() {
    pictures.prepare();
    Path file = json;
    if (file != null) {
      OutputFiles.prepare(file);
    }
    PrintWriter out = spec.commandLine().getOut();
    CudaDriver chosen = driver.choose(out);
    BenchPrinter printer = new BenchPrinter(out, progress.start(out));
    Report report = benchmark(chosen).run(printer);
    printer.print(report);
    if (file != null) {
      OutputFiles.write(out, "every figure", file, () -> ReportFile.write(report, file));
    }
    pictures.write(report, out);
    return ExitCode.OK;
  }

  private Benchmark benchmark(CudaDriver chosen) {
    boolean isSimulated = chosen.description().startsWith(Drivers.SIMULATED);
    Effort effort = (quick ? Effort.QUICK : Effort.FULL).times(time);
    ByteSize usual = isSimulated ? USUAL_SIMULATED_SIZE : USUAL_SIZE;
    ByteSize large = size == null ? usual : size;
    ByteSize largest = isSimulated ? USUAL_SIMULATED_SIZE : LARGEST;
    List<Long> curve =
        sizes == null
            ? effort.sizesUpTo(largest.bytes())
            : sizes.stream().map(ByteSize::bytes).distinct().sorted().toList();
    Set<Row> rows = only == null ? EnumSet.allOf(Row.class) : EnumSet.copyOf(only);
    return new Benchmark(chosen, effort, rows, large.bytes(), curve);
  }
}
