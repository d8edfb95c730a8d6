package org.cuarray.tests.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.cuarray.DType.FLOAT32;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.cuarray.CuRuntime;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.RecordingDriver;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.examples.RecordedOrder.Work;
import org.cuarray.tests.multidevice.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The example {@link Pipeline} on simulated machines: right batches, and what overlaps. */
class PipelineTest {
  private static final int SIZE = 1500;
  private static final int DEPTH = 3;
  private static final int ROUNDS = 3;

  private static SimulatedDriver.Builder machine(Preset preset) {
    return SimulatedKernels.addTo(SimulatedDriver.builder().preset(preset).devices(2));
  }

  static LongStream seeds() {
    return Seeds.all();
  }

  /** Gives the numbers of the batches that came out, in their order. */
  private static List<Integer> run(CudaDriver driver, int batches) {
    List<Integer> taken = new ArrayList<>();
    try (CuRuntime cuda = CuRuntime.open(driver);
        PipelineKernel kernel = new PipelineKernel(cuda, ROUNDS);
        Pipeline pipeline =
            new Pipeline(cuda, cuda.device(0), cuda.device(1), kernel, SIZE, DEPTH)) {
      pipeline.run(
          batches,
          (input, batch) -> input.copyFrom(FLOAT32, PipelineBatch.of(batch, SIZE)),
          (output, batch) -> {
            PipelineBatch.requireResult(batch, output.toArray(FLOAT32), kernel::reference);
            taken.add(batch);
          });
    }
    return taken;
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void everyBatchComesOutRightInWhateverOrderTheStreamsWork(long seed) {
    for (Preset preset : new Preset[] {Preset.NVLINK, Preset.PCIE}) {
      SimulatedDriver machine = machine(preset).seed(seed).build();
      assertThat(run(machine, 8)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
      assertThat(machine.findings()).isEmpty();
    }
  }

  /** The work of each batch, in the order of its steps; without that of the first batches. */
  private static List<List<Work>> recorded(Preset preset, int batches) {
    RecordingDriver recording = new RecordingDriver(machine(preset).build());
    run(recording.driver(), batches);
    List<List<Work>> all = new ArrayList<>();
    List<Work> batch = new ArrayList<>();
    for (Work work : RecordedOrder.of(recording.calls())) {
      batch.add(work);
      if (isDownloadOfAResult(batch)) {
        all.add(batch);
        batch = new ArrayList<>();
      }
    }
    return all.subList(DEPTH, all.size());
  }

  /** The only one that follows two kernels. */
  private static boolean isDownloadOfAResult(List<Work> batch) {
    return batch.stream().filter(Work::isKernel).count() == 2
        && !batch.get(batch.size() - 1).isKernel();
  }

  @ParameterizedTest
  @EnumSource(names = {"NVLINK", "PCIE"})
  void aBatchWaitsForNoLaterStepOfTheOneBefore(Preset preset) {
    List<List<Work>> batches = recorded(preset, 2 * DEPTH);
    for (int i = 1; i < batches.size(); i++) {
      List<Work> before = batches.get(i - 1);
      List<Work> batch = batches.get(i);
      assertThat(batch).hasSameSizeAs(before);
      for (int step = 0; step < batch.size(); step++) {
        assertThat(before.subList(step + 1, before.size()))
            .as("step %d of batch %d", step, i)
            .noneMatch(batch.get(step)::comesAfter);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"NVLINK", "PCIE"})
  void theStepsOfABatchFollowEachOther(Preset preset) {
    for (List<Work> batch : recorded(preset, 2 * DEPTH)) {
      for (int step = 1; step < batch.size(); step++) {
        assertThat(batch.get(step).comesAfter(batch.get(step - 1))).as("step %d", step).isTrue();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"NVLINK", "PCIE"})
  void aBatchIsNotOverwrittenBeforeItHasGoneOn(Preset preset) {
    List<List<Work>> batches = recorded(preset, 3 * DEPTH);
    for (int i = DEPTH; i < batches.size(); i++) {
      Work upload = batches.get(i).get(0);
      Work leaves = batches.get(i - DEPTH).get(2);
      assertThat(upload.comesAfter(leaves)).as("batch %d", i).isTrue();
    }
  }

  @Test
  void theCheckFindsABatchInTheWrongPlace() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                PipelineBatch.requireResult(
                    1, PipelineBatch.of(2, 3), (element, addend) -> element))
        .withMessage("element 0 of batch 1 is 2000.0 and should be 1000.0");
  }
}
