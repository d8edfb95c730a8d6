package org.cuarray.tests.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cuarray.cli.bench.Report;
import org.cuarray.cli.bench.ReportFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code src/bench/compare}, as far as it needs no GPU. */
class CompareScriptTest {
  private static final Path SCRIPT = Path.of("src", "bench", "compare").toAbsolutePath();

  private static final String REPORT =
      """
      {"schema": 1, "started": "2026-12-01T00:00:00Z", "seconds": 1.0, "effort": "quick",
       "machine": {"driver": "cuda", "cudaVersion": "13.0", "java": "VM", "system": "Linux",
                   "processors": 8, "heapBytes": 1, "devices": []},
       "links": [], "skipped": [], "results": [],
       "measurements": [
         {"row": "peer", "work": "peer copy, pool → pool", "who": "cuarray", "from": 0, "to": 1,
          "bytes": 1073741824, "unit": "GB/s", "value": VALUE_396},
         {"row": "peer", "work": "peer copy, pool → pool", "who": "cuarray", "from": 1, "to": 0,
          "bytes": 1073741824, "unit": "GB/s", "value": VALUE_100},
         {"row": "pingpong", "work": "ping-pong, until the last copy has arrived",
          "who": "cuarray", "from": 0, "to": 1, "bytes": 4096, "unit": "µs", "value": VALUE_10}
       ]}
      """;

  private static final String ROUND =
      """
      {"program": "peers.py", "missing": ["cupy: no module"], "measurements": [
         {"row": "peer", "work": "peer copy, pool → pool", "who": "PyTorch 2.11", "from": 0,
          "to": 1, "bytes": 1073741824, "unit": "GB/s", "value": VALUE_BANDWIDTH},
         {"row": "pingpong", "work": "ping-pong, until the last copy has arrived",
          "who": "PyTorch 2.11", "from": 0, "to": 1, "bytes": 4096, "unit": "µs",
          "value": VALUE_TIME}
       ]}
      """;

  @TempDir private Path folder;

  @BeforeAll
  static void requirePython() {
    assumeThat(run(List.of("python3", "--version"))).as("there is no python3").isZero();
  }

  @Test
  void theMeanOfTheRoundsCounts() throws IOException {
    merge(round(390, 15), round(402, 17));

    JsonArray results = report().getAsJsonArray("results");
    assertThat(results).hasSize(2);
    JsonObject peer = results.get(0).getAsJsonObject();
    assertThat(peer.keySet())
        .containsExactlyInAnyOrder(
            "work", "unit", "cuarray", "baseline", "against", "ratio", "target", "met");
    assertThat(peer.get("work").getAsString()).isEqualTo("peer copy, pool → pool, 1 GiB");
    assertThat(peer.get("cuarray").getAsDouble()).isEqualTo(396);
    assertThat(peer.get("baseline").getAsDouble()).isEqualTo(396);
    assertThat(peer.get("ratio").getAsDouble()).isEqualTo(1);
    assertThat(peer.get("met").getAsBoolean()).isTrue();
    JsonObject pingPong = results.get(1).getAsJsonObject();
    assertThat(pingPong.get("baseline").getAsDouble()).isEqualTo(16);
    assertThat(pingPong.get("ratio").getAsDouble()).isEqualTo(1.6);
  }

  @Test
  void theMergedReportIsStillAReport() throws IOException {
    merge(round(390, 9), round(402, 9));

    Report merged = ReportFile.read(folder.resolve("report.json"));

    assertThat(merged.measurements()).hasSize(5);
    assertThat(merged.measurements().get(3).value().samples()).isEqualTo(2);
    assertThat(merged.results()).extracting(result -> result.met()).containsExactly(true, false);
    assertThat(merged.skipped()).singleElement().matches(each -> each.why().contains("cupy"));
  }

  private JsonObject report() throws IOException {
    JsonElement parsed =
        JsonParser.parseString(Files.readString(folder.resolve("report.json"), UTF_8));
    return parsed.getAsJsonObject();
  }

  private void merge(String... rounds) throws IOException {
    String report =
        REPORT
            .replace("VALUE_396", value(396))
            .replace("VALUE_100", value(100))
            .replace("VALUE_10", value(10));
    List<String> command = new ArrayList<>();
    command.add("python3");
    command.add(SCRIPT.toString());
    command.add("--merge");
    command.add(write("report.json", report));
    for (int i = 0; i < rounds.length; i++) {
      command.add(write("round-" + i + ".json", rounds[i]));
    }
    assertThat(run(command)).isZero();
  }

  private static String round(double bandwidth, double time) {
    return ROUND.replace("VALUE_BANDWIDTH", value(bandwidth)).replace("VALUE_TIME", value(time));
  }

  private static String value(double median) {
    return "{\"median\": %s, \"min\": %s, \"p10\": %s, \"p90\": %s, \"max\": %s, \"samples\": 1}"
        .replace("%s", Double.toString(median));
  }

  private String write(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content, UTF_8).toString();
  }

  private static int run(List<String> command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      return process.waitFor();
    } catch (IOException e) {
      return -1;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
