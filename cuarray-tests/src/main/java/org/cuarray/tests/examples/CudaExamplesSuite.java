package org.cuarray.tests.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.DType.FLOAT32;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.CuScope;
import org.cuarray.driver.javacpp.JavaCppDriver;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples on this machine's GPUs at small sizes. */
@Tag("gpu")
public final class CudaExamplesSuite {

  /** For JUnit. */
  public CudaExamplesSuite() {}

  @BeforeEach
  void needAGpu() {
    JavaCppDriver.unavailableReason().ifPresent(reason -> assumeTrue(false, reason));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jacobi --size 1000 --iterations 300 --norm-every 50 --runs 1",
        "jacobi --size 257 --iterations 100 --norm-every 1 --runs 1 --edge-rows 1",
        "jacobi --size 1000 --iterations 300 --norm-every 50 --runs 1 --threads",
        "gemm --size 1024 --panels 4 --runs 1",
        "pipeline --size 1000000 --runs 1"
      })
  void anExampleRunsWithItsChecksAndReports(String command, @TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("report.json");
    StringWriter said = new StringWriter();
    int code =
        ExampleMain.commandLine()
            .setOut(new PrintWriter(said, true))
            .setErr(new PrintWriter(said, true))
            .execute((command + " --warm-up 0 --report " + file).split(" "));
    assertThat(code).as(said.toString()).isZero();
    JsonArray results =
        JsonParser.parseString(Files.readString(file)).getAsJsonObject().getAsJsonArray("results");
    assertThat(results).isNotEmpty();
    assertThat(results)
        .allSatisfy(
            row ->
                assertThat(row.getAsJsonObject().keySet())
                    .containsExactly(
                        "work",
                        "unit",
                        "cuarray",
                        "baseline",
                        "against",
                        "ratio",
                        "target",
                        "met"));
  }

  /** Each round overwrites what the copy before has read and the product before has multiplied. */
  @Test
  void cublasMultipliesWhatWasJustCopiedFromAnotherDevice() {
    int size = 1024;
    int rounds = 20;
    try (CuRuntime cuda = CuRuntime.open(JavaCppDriver.instance());
        CuScope scope = cuda.scope()) {
      CuDevice first = cuda.device(0);
      CuDevice last = cuda.device(cuda.devices().size() - 1);
      CublasProduct product = scope.keep(new CublasProduct(last));
      CuArray<Float> a = scope.keep(last.full(FLOAT32, 1f, size, size));
      CuArray<Float> there = scope.keep(first.empty(FLOAT32, size, size));
      CuArray<Float> here = scope.keep(last.zeros(FLOAT32, size, size));
      List<CuArray<Float>> products = new ArrayList<>();
      for (int round = 0; round < rounds; round++) {
        products.add(scope.keep(last.zeros(FLOAT32, size, size)));
      }
      for (int round = 0; round < rounds; round++) {
        there.fill((Number) (round + 1));
        there.copyTo(here);
        product.multiply(a, 0, here, 0, products.get(round));
      }
      for (int round = 0; round < rounds; round++) {
        assertThat(products.get(round).toArray(FLOAT32)).containsOnly((float) size * (round + 1));
      }
    }
  }
}
