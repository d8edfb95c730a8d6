package org.cuarray.tests.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.LongStream;
import org.cuarray.CuRuntime;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.multidevice.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The example {@link Jacobi} on simulated machines computes what plain Java does. */
class JacobiTest {
  private static final LaplaceProblem PROBLEM = new LaplaceProblem(24);
  private static final int STEPS = 21;

  static LongStream seeds() {
    return Seeds.all();
  }

  private static void assertAsInPlainJava(
      SimulatedDriver machine, EdgeHeight edges, Stepping stepping) {
    JacobiReference reference = new JacobiReference(PROBLEM);
    double norm = 0;
    for (int i = 0; i < STEPS; i++) {
      norm = reference.step();
    }
    try (CuRuntime cuda = CuRuntime.open(machine);
        JacobiKernel kernel = new JacobiKernel(cuda);
        Jacobi jacobi = Jacobi.on(cuda, cuda.devices(), kernel, PROBLEM, edges, stepping)) {
      assertThat(jacobi.run(STEPS, 7)).isCloseTo(norm, within(1e-6 * norm));
      JacobiCheck.requireSame(PROBLEM, jacobi::row, reference::row);
    }
    assertThat(machine.findings()).isEmpty();
  }

  private static SimulatedDriver.Builder machine(Preset preset, int devices) {
    return SimulatedKernels.addTo(SimulatedDriver.builder().preset(preset).devices(devices));
  }

  @ParameterizedTest(name = "{0}, {1} devices, {2} rows at an edge first")
  @CsvSource({
    "NVLINK, 1, 1",
    "NVLINK, 2, 1",
    "NVLINK, 2, 100",
    "NVLINK, 4, 2",
    "PCIE, 2, 1",
    "PCIE, 3, 3"
  })
  void theSameBitsComeOutOnAnyNumberOfDevices(Preset preset, int devices, int edge) {
    assertAsInPlainJava(
        machine(preset, devices).checkOrder().build(),
        EdgeHeight.fixed(edge),
        Stepping.byOneThread());
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theSameBitsComeOutInWhateverOrderTheStreamsWork(long seed) {
    for (Preset preset : new Preset[] {Preset.NVLINK, Preset.PCIE}) {
      assertAsInPlainJava(
          machine(preset, 3).seed(seed).build(), EdgeHeight.half(), Stepping.byOneThread());
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theSameBitsComeOutOfAThreadForEachDevice(long seed) {
    assertAsInPlainJava(
        machine(Preset.NVLINK, 3).seed(seed).build(), EdgeHeight.half(), new ThreadEach());
  }

  @Test
  void aGridThatIsTooSmallForTheDevicesIsRefused() {
    try (CuRuntime cuda = CuRuntime.open(machine(Preset.NVLINK, 3).build());
        JacobiKernel kernel = new JacobiKernel(cuda)) {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  Jacobi.on(
                      cuda,
                      cuda.devices(),
                      kernel,
                      new LaplaceProblem(7),
                      EdgeHeight.half(),
                      Stepping.byOneThread()))
          .withMessage("5 rows inside the edges of a grid of 7 are not two for each of 3 devices");
    }
  }

  @Test
  void theCheckFindsOneWrongBit() {
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(
            () ->
                JacobiCheck.requireSame(
                    new LaplaceProblem(3),
                    row -> new float[] {1, 2, 3},
                    row -> new float[] {1, Math.nextUp(2f), 3}))
        .withMessage("element [1, 1] of 3 x 3 is 2.0 and should be 2.0000002");
  }
}
