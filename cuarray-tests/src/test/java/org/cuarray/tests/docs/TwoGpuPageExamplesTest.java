package org.cuarray.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.DType.FLOAT32;

import java.util.List;
import java.util.stream.LongStream;
import org.cuarray.CopyPlan;
import org.cuarray.CuArray;
import org.cuarray.CuKernel;
import org.cuarray.CuModule;
import org.cuarray.CuRuntime;
import org.cuarray.driver.simulated.KernelRun;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.docs.TwoGpuHeat.Half;
import org.cuarray.tests.multidevice.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The programs of the page on the first program for two GPUs; {@link DocumentsTest} compares. */
class TwoGpuPageExamplesTest {
  static LongStream seeds() {
    return Seeds.all();
  }

  static void relax(KernelRun run) {
    long in = run.nextLong();
    long out = run.nextLong();
    int rows = run.nextInt();
    int columns = run.nextInt();
    long down = 4L * columns;
    for (int y = 0; y < rows; y++) {
      for (int x = 1; x < columns - 1; x++) {
        long at = in + (y + 1) * down + 4L * x;
        float left = run.getFloat(at - 4);
        float right = run.getFloat(at + 4);
        float mean = 0.25f * (left + right + run.getFloat(at - down) + run.getFloat(at + down));
        run.putFloat(out + y * down + 4L * x, mean);
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void twoGpusComputeWhatOneDoes(long seed) {
    SimulatedDriver machine =
        SimulatedDriver.builder()
            .devices(2)
            .seed(seed) // work is done late, in an order that the seed decides
            .kernel("relax", TwoGpuPageExamplesTest::relax)
            .build();
    try (CuRuntime cuda = CuRuntime.open(machine)) {
      float[] two = TwoGpuHeat.solve(cuda, 16, 25);
      float[] one = OneGpuHeat.solve(cuda, 16, 25);
      assertThat(two).isEqualTo(one);
    }
    assertThat(machine.findings()).isEmpty(); // nothing touched the same bytes without an order
  }

  @Test
  void aPlanSaysWhichWayARowGoes() {
    try (CuRuntime cuda = CuRuntime.open(machine(Preset.NVLINK));
        CuArray<Float> upperRow = cuda.device(0).zeros(FLOAT32, 1, 16);
        CuArray<Float> lowerRow = cuda.device(1).zeros(FLOAT32, 1, 16)) {
      CopyPlan plan = upperRow.planCopyTo(lowerRow);
      System.out.println(plan); // …, PEER: peer link cuda:0 → cuda:1, proved (pool → pool) …
      assertThat(plan.toString()).contains("PEER: peer link cuda:0 → cuda:1, proved (pool → pool)");
    }
  }

  @Test
  void heatArrivesOnTheOtherGpu() {
    try (CuRuntime cuda = CuRuntime.open(machine(Preset.PCIE))) {
      float[] plate = TwoGpuHeat.solve(cuda, 16, 25);
      assertThat(plate[12 * 16 + 8]).isPositive();
      assertThat(List.of(plate[8], plate[15 * 16 + 8])).containsExactly(1f, 0f);
    }
  }

  @Test
  void theSimpleStepGivesTheSame() {
    int size = 16;
    int rows = 7;
    float[] plate = OneGpuHeat.plate(size);
    try (CuRuntime cuda = CuRuntime.open(machine(Preset.NVLINK));
        CuModule module = cuda.compile("");
        Half upper = Half.of(cuda.device(0), plate, size, 0, rows + 2);
        Half lower = Half.of(cuda.device(1), plate, size, rows, size)) {
      CuKernel kernel = module.kernel("relax");
      for (int step = 0; step < 20; step++) {
        TwoGpuHeat.step(kernel, upper, lower, rows, step);
      }
      float[] expected = OneGpuHeat.solve(cuda, size, 20);
      assertThat(lower.now(20).slice(1, rows + 2).toArray(FLOAT32))
          .isEqualTo(java.util.Arrays.copyOfRange(expected, (rows + 1) * size, size * size));
    }
  }

  private static SimulatedDriver machine(Preset preset) {
    return SimulatedDriver.builder()
        .preset(preset)
        .devices(2)
        .kernel("relax", TwoGpuPageExamplesTest::relax)
        .build();
  }
}
