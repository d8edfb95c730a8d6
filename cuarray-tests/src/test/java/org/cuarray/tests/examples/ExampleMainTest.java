package org.cuarray.tests.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command line of the examples, on simulated machines. */
class ExampleMainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String command) {
    return ExampleMain.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(command.split(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "jacobi --size 20 --driver simulated:nvlink --gpus 2 | 50 steps of 20 x 20: as on one GPU",
        "pipeline --size 100 --rounds 3 --driver simulated:pcie | 7 batches of 100 elements"
      })
  void anExampleChecksItselfOnASimulatedMachineAndMeasuresNothing(String command, String said) {
    assertThat(run(command)).isZero();
    assertThat(out.toString()).contains(said).doesNotContain("ratio");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "jacobi --driver cpu | \"cpu\" names no driver: there are cuda and simulated:PRESET",
        "jacobi --driver simulated:pcie --gpus 9 | 9 GPUs were asked for, and there are 4",
        "pipeline --driver simulated:pcie --rounds 4 | 4 rounds, an even number, give back",
        "gemm --driver simulated:pcie | gemm needs GPUs: a simulated machine runs no cuBLAS"
      })
  void whatMakesNoSenseIsRefusedInOneLine(String command, String said) {
    assertThat(run(command)).isEqualTo(1);
    assertThat(err.toString()).startsWith(said).hasLineCount(1);
  }

  @Test
  void theExamplesAreListed() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).contains("jacobi", "gemm", "pipeline");
  }
}
