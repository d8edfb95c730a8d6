package org.cuarray.tests.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.cuarray.KernelArg.float32;
import static org.cuarray.KernelArg.int32;

import java.util.List;
import java.util.stream.LongStream;
import org.cuarray.Access;
import org.cuarray.CuArray;
import org.cuarray.CuModule;
import org.cuarray.CuRuntime;
import org.cuarray.Launch;
import org.cuarray.driver.RecordingDriver;
import org.cuarray.driver.simulated.KernelRun;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.examples.RecordedOrder.Work;
import org.cuarray.tests.multidevice.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The example {@link Gemm} on simulated machines, with a kernel in the place of cuBLAS. */
class GemmTest {
  private static final GemmProblem PROBLEM = new GemmProblem(24);
  private static final int PANELS = 6;

  private static SimulatedDriver.Builder machine(Preset preset, int devices) {
    return SimulatedDriver.builder()
        .preset(preset)
        .devices(devices)
        .kernel("product", List.of(8, 4, 8, 8, 4, 4, 4, 4), GemmTest::product);
  }

  private static void product(KernelRun run) {
    long a = run.nextLong();
    int columnsOfA = run.nextInt();
    long panel = run.nextLong();
    long c = run.nextLong();
    int m = run.nextInt();
    int n = run.nextInt();
    int k = run.nextInt();
    float beta = run.nextFloat();
    for (int row = 0; row < m; row++) {
      for (int column = 0; column < n; column++) {
        long result = c + 4L * (row * n + column);
        float sum = beta == 0 ? 0 : beta * run.getFloat(result);
        for (int i = 0; i < k; i++) {
          sum +=
              run.getFloat(a + 4L * (row * columnsOfA + i))
                  * run.getFloat(panel + 4L * (i * n + column));
        }
        run.putFloat(result, sum);
      }
    }
  }

  /** A launch on the device's own stream. */
  private record KernelProduct(CuModule module) implements PanelProduct {
    @Override
    public void multiply(
        CuArray<Float> a, long firstColumn, CuArray<Float> panel, float beta, CuArray<Float> c) {
      // The address of a column is no array, so all of a is one argument and its place another.
      module
          .kernel("product")
          .launch(
              Launch.of(1, 1),
              Access.read(a.reshape(-1).slice(firstColumn, a.size())),
              int32((int) a.shape()[1]),
              Access.read(panel),
              beta == 0 ? Access.write(c) : Access.readWrite(c),
              int32((int) c.shape()[0]),
              int32((int) c.shape()[1]),
              int32((int) panel.shape()[0]),
              float32(beta));
    }

    @Override
    public void close() {}
  }

  static LongStream seeds() {
    return Seeds.all();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theProductIsRightInWhateverOrderTheStreamsWork(long seed) {
    for (Preset preset : new Preset[] {Preset.NVLINK, Preset.PCIE}) {
      SimulatedDriver machine = machine(preset, 3).seed(seed).build();
      try (CuRuntime cuda = CuRuntime.open(machine);
          CuModule module = cuda.compile("");
          Gemm gemm =
              new Gemm(
                  cuda, cuda.devices(), PROBLEM, PANELS, device -> new KernelProduct(module))) {
        gemm.multiply();
        gemm.multiply();
        PROBLEM.requireProduct(gemm, PROBLEM.size(), 30, seed);
      }
      assertThat(machine.findings()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"NVLINK", "PCIE"})
  void aPanelIsCopiedWhileTheOneBeforeItIsMultiplied(Preset preset) {
    RecordingDriver recording = new RecordingDriver(machine(preset, 2).build());
    List<Work> work;
    try (CuRuntime cuda = CuRuntime.open(recording.driver());
        CuModule module = cuda.compile("");
        Gemm gemm =
            new Gemm(cuda, cuda.devices(), PROBLEM, PANELS, device -> new KernelProduct(module))) {
      gemm.multiply();
      cuda.synchronize();
      recording.clear();
      gemm.multiply();
      work = RecordedOrder.of(recording.calls());
    }
    List<Work> products = work.stream().filter(Work::isKernel).toList();
    assertThat(products).hasSize(2 * PANELS);
    for (int panel = 1; panel < PANELS; panel++) {
      Work productBefore = products.get(2 * panel - 1);
      Work product = products.get(2 * panel + 1);
      List<Work> copy = work.subList(products.get(2 * panel).number() + 1, product.number());
      assertThat(copy).isNotEmpty().noneMatch(transfer -> transfer.comesAfter(productBefore));
      assertThat(copy).allMatch(product::comesAfter);
    }
  }

  @Test
  void panelsOfDifferentHeightsAreRefused() {
    try (CuRuntime cuda = CuRuntime.open(machine(Preset.NVLINK, 2).build())) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Gemm(cuda, cuda.devices(), PROBLEM, 5, device -> null))
          .withMessage("24 rows are not 5 panels of the same height");
    }
  }
}
