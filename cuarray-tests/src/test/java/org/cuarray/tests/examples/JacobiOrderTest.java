package org.cuarray.tests.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.cuarray.CuRuntime;
import org.cuarray.driver.RecordingDriver;
import org.cuarray.driver.RecordingDriver.Call;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.examples.RecordedOrder.Work;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What waits for what in the example {@link Jacobi} on two devices, by the driver calls: its own
 * code says nothing about it.
 */
class JacobiOrderTest {
  /** Until every event and stream is there. */
  private static final int WARM_UP = 9;

  /** The work of one step in the order of submission: edge, row, rest of the one and the other. */
  private record Step(List<Work> work) {
    private Work kernel(int index) {
      return work.stream().filter(Work::isKernel).toList().get(index);
    }

    Work edge(int device) {
      return kernel(2 * device);
    }

    Work rest(int device) {
      return kernel(2 * device + 1);
    }

    /** The transfers that bring a device the row of the other one. */
    List<Work> rowFor(int device) {
      return work.subList(work.indexOf(edge(1 - device)) + 1, work.indexOf(rest(1 - device)));
    }
  }

  /** All calls, and how many there were before each of the last steps. */
  private record Recorded(List<Call> calls, List<Integer> steps) {
    List<Call> callsOf(int step) {
      return calls.subList(steps.get(step), steps.get(step + 1));
    }

    Step step(int step) {
      List<Work> all = RecordedOrder.of(calls.subList(0, steps.get(step + 1)));
      int before = RecordedOrder.of(calls.subList(0, steps.get(step))).size();
      return new Step(all.subList(before, all.size()));
    }
  }

  private static Recorded record(Preset preset, int devices) {
    RecordingDriver recording =
        new RecordingDriver(
            SimulatedKernels.addTo(SimulatedDriver.builder().preset(preset).devices(devices))
                .build());
    List<Integer> steps = new ArrayList<>();
    try (CuRuntime cuda = CuRuntime.open(recording.driver());
        JacobiKernel kernel = new JacobiKernel(cuda);
        Jacobi jacobi =
            Jacobi.on(
                cuda,
                cuda.devices(),
                kernel,
                new LaplaceProblem(34),
                EdgeHeight.half(),
                Stepping.byOneThread())) {
      jacobi.run(WARM_UP, WARM_UP + 1);
      steps.add(recording.calls().size());
      for (int i = 0; i < 2; i++) {
        jacobi.run(1, 2);
        steps.add(recording.calls().size());
      }
      return new Recorded(recording.calls(), steps);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"NVLINK", "PCIE"})
  void rowsTravelWhileTheRestIsComputed(Preset preset) {
    Step step = record(preset, 2).step(0);
    for (int device = 0; device < 2; device++) {
      Work rest = step.rest(device);
      for (int to = 0; to < 2; to++) {
        assertThat(step.rowFor(to))
            .isNotEmpty()
            .noneMatch(rest::comesAfter)
            .noneMatch(transfer -> transfer.comesAfter(rest));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"NVLINK", "PCIE"})
  void aRowIsSentWhenItIsComputed(Preset preset) {
    Step step = record(preset, 2).step(0);
    assertThat(step.rowFor(1)).allMatch(transfer -> transfer.comesAfter(step.edge(0)));
    assertThat(step.rowFor(0)).allMatch(transfer -> transfer.comesAfter(step.edge(1)));
  }

  @ParameterizedTest
  @EnumSource(names = {"NVLINK", "PCIE"})
  void theNextEdgeIsComputedWhenTheNeighboursRowIsThere(Preset preset) {
    Recorded recorded = record(preset, 2);
    Step step = recorded.step(0);
    Step next = recorded.step(1);
    for (int device = 0; device < 2; device++) {
      assertThat(step.rowFor(device)).isNotEmpty().allMatch(next.edge(device)::comesAfter);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"NVLINK", "PCIE"})
  void aRowIsNotOverwrittenWhileTheNeighbourReadsIt(Preset preset) {
    Recorded recorded = record(preset, 2);
    Step step = recorded.step(0);
    Step next = recorded.step(1);
    for (int device = 0; device < 2; device++) {
      Work reader = step.edge(device);
      List<Work> transfers = next.rowFor(device);
      assertThat(transfers.get(transfers.size() - 1).comesAfter(reader)).isTrue();
    }
  }

  /** What the host submits is what bounds small grids. */
  @Test
  void aStepOfADeviceIsTwoKernelsACopyAndAWaitForEachOther() {
    Recorded recorded = record(Preset.NVLINK, 2);
    for (int step = 0; step < 2; step++) {
      List<String> calls = recorded.callsOf(step).stream().map(Call::name).toList();
      assertThat(calls).filteredOn("cuLaunchKernel"::equals).hasSize(4);
      assertThat(calls).filteredOn("cuMemcpyPeerAsync"::equals).hasSize(2);
      assertThat(calls).filteredOn("cuStreamWaitEvent"::equals).hasSize(4);
      assertThat(calls).filteredOn("cuEventRecord"::equals).hasSizeLessThanOrEqualTo(6);
      assertThat(calls).noneMatch(call -> call.endsWith("Synchronize") || call.endsWith("Query"));
    }
  }
}
