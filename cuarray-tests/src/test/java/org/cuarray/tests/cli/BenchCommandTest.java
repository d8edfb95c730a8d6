package org.cuarray.tests.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.cuarray.cli.Drivers;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchCommandTest {
  @TempDir private Path folder;

  @Test
  void aQuickRunPrintsAndWritesEverything() throws IOException {
    CommandRun run =
        bench(
            "--size",
            "64KiB",
            "--sizes",
            "4,4KiB,64KiB",
            "--json",
            file("report.json"),
            "--html",
            file("pages/report.html"),
            "--png",
            file("report.png"));

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.firstLine()).startsWith("SIMULATED MACHINE");
    assertThat(run.out())
        .containsPattern("peer copy, submit +cuda:0 → cuda:1 +4 KiB +[0-9.]+ µs \\(")
        .containsPattern("upload of a float\\[] +host → cuda:1 +64 KiB +[0-9.]+ GB/s")
        .contains("cuda:1 → cuda:0, GB/s\n")
        .containsPattern("\n +64 KiB( +[0-9.]+){3,}")
        .containsPattern("host-staged copy, one way, 64 KiB .* slower PCIe leg alone\n")
        .contains("these figures mean nothing")
        .contains("every figure: " + file("report.json"));
    assertThat(Files.size(folder.resolve("report.png"))).isPositive();
    assertThat(Files.size(folder.resolve("pages/report.html"))).isPositive();
    JsonObject report =
        JsonParser.parseString(Files.readString(folder.resolve("report.json"))).getAsJsonObject();
    assertThat(report.keySet())
        .contains("machine", "links", "measurements", "skipped", "results", "effort");
    assertThat(report.get("effort").getAsString()).isEqualTo("quick");
  }

  @Test
  void onlySomeRowsAreMeasuredAndDrawnLater() {
    CommandRun run = bench("--only", "submit,garbage", "--json", file("report.json"));

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains("peer copy, submit", "garbage of a peer copy")
        .doesNotContain("upload", "ping-pong, submit", "not measured");

    CommandRun render =
        CommandRun.of(
            Drivers.ofProcess(),
            "bench",
            "render",
            file("report.json"),
            "--html",
            file("report.html"));

    assertThat(render.exitCode()).isZero();
    assertThat(folder.resolve("report.html")).content().contains("peer copy, submit");
  }

  @Test
  void anUnknownRowIsRefusedWithTheListOfAll() {
    CommandRun run = bench("--only", "submit,sumbit");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("sumbit", "submit, latency, pingpong");
  }

  @Test
  void sizesAndTimesThatMakeNoSenseAreRefused() {
    assertThat(bench("--sizes", "4,0").exitCode()).isEqualTo(2);
    assertThat(bench("--size", "much").exitCode()).isEqualTo(2);

    CommandRun run = CommandRun.of(drivers(), "bench", "--time", "-1");

    assertThat(run.exitCode()).isNotZero();
    assertThat(run.err()).contains("time factor").doesNotContain("\tat ");
  }

  @Test
  void aFileThatCanNotBeWrittenIsRefusedBeforeAnythingIsMeasured() {
    for (String option : List.of("--json", "--png", "--html")) {
      CommandRun run = bench(option, folder.toString());

      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.out()).isEmpty();
      assertThat(run.err()).contains(folder + " can't be written: it is a folder");
    }
  }

  @Test
  void renderingNeedsAReportAndAPlaceForTheDrawing() throws IOException {
    CommandRun nowhere = render(file("report.json"));
    CommandRun missing = render(file("report.json"), "--png", file("report.png"));
    Files.writeString(folder.resolve("report.json"), "{}");
    CommandRun nonsense = render(file("report.json"), "--png", file("report.png"));

    assertThat(nowhere.exitCode()).isEqualTo(2);
    assertThat(nowhere.err()).contains("--png", "--html");
    assertThat(missing.exitCode()).isEqualTo(1);
    assertThat(missing.err()).contains("report.json can't be read").doesNotContain("\tat ");
    assertThat(nonsense.exitCode()).isEqualTo(1);
    assertThat(nonsense.err()).contains("is no report of cuarray bench");
  }

  private static CommandRun render(String... arguments) {
    String[] all = new String[arguments.length + 2];
    all[0] = "bench";
    all[1] = "render";
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    return CommandRun.of(Drivers.ofProcess(), all);
  }

  private static CommandRun bench(String... options) {
    String[] arguments = new String[options.length + 4];
    arguments[0] = "bench";
    arguments[1] = "--quick";
    arguments[2] = "--time";
    arguments[3] = "0.000001";
    System.arraycopy(options, 0, arguments, 4, options.length);
    return CommandRun.of(drivers(), arguments);
  }

  private static Drivers drivers() {
    return TestDrivers.only(SimulatedDriver.of(Preset.NVLINK, 2));
  }

  private String file(String name) {
    return folder.resolve(name).toString();
  }
}
