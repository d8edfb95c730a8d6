package org.cuarray.tests.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.cuarray.cli.Drivers;
import org.cuarray.cli.Main;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {
  @Test
  void helpNamesTheCommands() {
    CommandRun run = CommandRun.of(Drivers.ofProcess(), "--help");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("demo", "devices");
  }

  @Test
  void aCommandIsNeeded() {
    CommandRun run = CommandRun.of(Drivers.ofProcess());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("Missing required subcommand.", "demo", "devices");
  }

  @Test
  void aMistypedCommandIsGuessed() {
    CommandRun run = CommandRun.of(Drivers.ofProcess(), "device");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("Did you mean: cuarray devices");
  }

  /** A process of its own, for its log, its charset and its exit. */
  @Test
  void theProcessWarnsInSingleLinesAndWritesArrows(@TempDir Path folder)
      throws IOException, InterruptedException {
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder process =
        new ProcessBuilder(command("devices", "--driver", "simulated:broken-iommu", "--prove"))
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    process.environment().put("LC_ALL", "C");

    assertThat(process.start().waitFor()).isZero();
    assertThat(Files.readString(out, UTF_8)).contains("cuda:0 → cuda:1").doesNotContain("\r");
    assertThat(Files.readAllLines(err))
        .isNotEmpty()
        .allMatch(line -> line.matches("[A-Z]+: peer link cuda:.* is not used: .*"));
  }

  private static List<String> command(String... arguments) {
    return Stream.concat(
            Stream.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Duser.language=en",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()),
            Stream.of(arguments))
        .toList();
  }
}
