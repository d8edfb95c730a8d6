package org.cuarray.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.DType.INT32;
import static org.cuarray.tests.conformance.DriverRig.ok;

import com.google.common.base.Throwables;
import java.time.Duration;
import java.util.stream.Stream;
import org.cuarray.AllocatorKind;
import org.cuarray.CuArray;
import org.cuarray.CuDeviceLostException;
import org.cuarray.CuException;
import org.cuarray.CuRuntime;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.faults.FaultyDriver.Fault;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A device is lost at each driver call of each operation. */
class LostDeviceSweepTest {
  private static final Duration BOUND = Duration.ofSeconds(30);

  static Stream<Operations.Named> onOneDevice() {
    return Stream.of(AllocatorKind.values()).flatMap(kind -> Operations.onOneDevice(kind).stream());
  }

  static Stream<Arguments> betweenDevices() {
    return Stream.of(AllocatorKind.values())
        .flatMap(kind -> Operations.betweenDevices(kind, kind).stream())
        .flatMap(copy -> Stream.of(Arguments.of(copy, 0), Arguments.of(copy, 1)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("onOneDevice")
  void theOtherDeviceGoesOnAndNothingHangs(Operations.Named operation) {
    sweep(Preset.PCIE, operation, 0, false);
  }

  @ParameterizedTest(name = "{0}, cuda:{1} lost")
  @MethodSource("betweenDevices")
  void aStagedCopyFails(Operations.Named operation, int lost) {
    sweep(Preset.PCIE, operation, lost, false);
  }

  /** A proof for each call, so one kind of memory and one size must do. */
  @ParameterizedTest(name = "cuda:{0} lost")
  @ValueSource(ints = {0, 1})
  void aPeerCopyFails(int lost) {
    AllocatorKind kind = AllocatorKind.STREAM_ORDERED;
    sweep(Preset.NVLINK, Operations.betweenDevices(kind, kind).get(0), lost, true);
  }

  private static void sweep(Preset preset, Operations.Named operation, int lost, boolean warm) {
    long nth = 0;
    Fault fault;
    do {
      nth++;
      long call = nth;
      fault =
          Assertions.assertTimeoutPreemptively(
              BOUND, () -> lose(preset, operation, lost, warm, call));
    } while (fault != null);
    assertThat(nth).isGreaterThan(1);
  }

  private static Fault lose(
      Preset preset, Operations.Named operation, int lost, boolean warm, long nth)
      throws Exception {
    SimulatedDriver machine =
        OtherOperations.withKernel(SimulatedDriver.builder())
            .preset(preset)
            .devices(2)
            .seed(nth)
            .build();
    FaultyDriver faulty =
        new FaultyDriver(
            machine,
            call -> {
              machine.loseDevice(lost);
              return CudaError.SUCCESS;
            });
    Fault fault;
    try (CuRuntime cuda = CuRuntime.builder().driver(faulty.driver()).staging(4 << 10, 2).open();
        CuArray<Integer> other = cuda.device(1 - lost).full(INT32, 5, 100);
        FaultCase test = new FaultCase(cuda, machine)) {
      operation.preparation().accept(test);
      if (warm) {
        test.operation.run();
      }
      long context = current(machine);
      faulty.arm(nth);
      CuException thrown = null;
      try {
        test.operation.run();
      } catch (CuException e) {
        thrown = e;
      }
      fault = faulty.disarm();
      assertThat(current(machine)).as("context after %s, %s", fault, thrown).isEqualTo(context);
      if (thrown != null) {
        checkNamed(thrown, fault, lost);
      }
      assertThat(other.toArray(INT32)).containsOnly(5);
      other.fill(6);
      assertThat(other.toArray(INT32)).containsOnly(6);
    }
    assertThat(machine.findings()).as("after %s", fault).allMatch(Tolerated::isTolerated);
    return fault;
  }

  private static void checkNamed(CuException thrown, Fault fault, int lost) {
    if (Tolerated.knowsNoDevice(thrown)) {
      return;
    }
    String story = fault + ", " + Throwables.getStackTraceAsString(thrown);
    assertThat(thrown).as(story).isInstanceOf(CuDeviceLostException.class);
    if (!Tolerated.namesTheOtherDevice(thrown)) {
      assertThat(((CuDeviceLostException) thrown).device()).as(story).isEqualTo(lost);
    }
  }

  private static long current(SimulatedDriver machine) {
    long[] context = new long[1];
    ok(machine.ctxGetCurrent(context));
    return context[0];
  }
}
