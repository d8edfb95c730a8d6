package org.cuarray.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportFileTest {
  @TempDir private Path folder;

  @Test
  void whatIsWrittenIsRead() throws IOException {
    Report report =
        Reports.of(
            List.of(
                Reports.figure(
                    Row.SUBMIT, SubmitWork.SUBMIT, Figure.CUARRAY, Unit.MICROSECONDS, 1.5),
                Reports.figure(
                    Row.SUBMIT, SubmitWork.SUBMIT, SubmitWork.RAW_COPY, Unit.MICROSECONDS, 1.5)));

    ReportFile.write(report, file());

    // Targets are rounded when they are written.
    assertThat(ReportFile.read(file()))
        .usingRecursiveComparison()
        .withEqualsForType((a, b) -> Math.abs(a - b) < 1e-5, Double.class)
        .isEqualTo(report);
  }

  @Test
  void resultsHaveAllTheirMembersAlsoWithoutATarget() throws IOException {
    Report report =
        Reports.of(
            List.of(
                Reports.figure(
                    Row.HOST, HostWork.UPLOAD, Figure.CUARRAY, Unit.GIGABYTES_PER_SECOND, 18),
                Reports.figure(
                    Row.HOST,
                    HostWork.UPLOAD,
                    HostWork.RAW_PAGEABLE,
                    Unit.GIGABYTES_PER_SECOND,
                    9)));

    ReportFile.write(report, file());

    JsonObject result =
        JsonParser.parseString(Files.readString(file()))
            .getAsJsonObject()
            .getAsJsonArray("results")
            .get(0)
            .getAsJsonObject();
    assertThat(result.keySet())
        .containsExactly(
            "work", "unit", "cuarray", "baseline", "against", "ratio", "target", "met");
    assertThat(result.get("unit").getAsString()).isEqualTo("GB/s");
    assertThat(result.get("ratio").getAsDouble()).isEqualTo(2);
    assertThat(result.get("target").isJsonNull()).isTrue();
    assertThat(result.get("met").isJsonNull()).isTrue();
  }

  @Test
  void numbersAreRoundedAndHaveNoExponent() throws IOException {
    Figure large =
        Reports.figure(
            Row.SUBMIT, SubmitWork.SUBMIT, Figure.CUARRAY, Unit.MICROSECONDS, 1234567.89);
    Figure small =
        Reports.figure(
            Row.SUBMIT, SubmitWork.SUBMIT, Figure.CUARRAY, Unit.MICROSECONDS, 0.00123456789);

    ReportFile.write(Reports.of(List.of(large, small)), file());

    assertThat(Files.readString(file()))
        .contains("\"median\": 1234570,", "\"median\": 0.00123457,");
  }

  @Test
  void anotherFileIsRefused() throws IOException {
    for (String content : List.of("", "nonsense", "[]", "{}", "{\"schema\": 99}")) {
      Files.writeString(file(), content);

      assertThatIllegalArgumentException()
          .as(content)
          .isThrownBy(() -> ReportFile.read(file()))
          .withMessageContaining("is no report of cuarray bench");
    }
  }

  private Path file() {
    return folder.resolve("report.json");
  }
}
