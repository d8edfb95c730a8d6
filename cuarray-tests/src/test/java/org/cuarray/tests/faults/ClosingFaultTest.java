package org.cuarray.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.cuarray.DType.INT32;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.cuarray.AllocatorKind;
import org.cuarray.CuArray;
import org.cuarray.CuDriverException;
import org.cuarray.CuRuntime;
import org.cuarray.HostArray;
import org.cuarray.driver.simulated.Finding;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.faults.FaultyDriver.Fault;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults while a runtime is opened or closed. */
class ClosingFaultTest {
  private static final int LENGTH = 5000;
  private static final Duration BOUND = Duration.ofSeconds(20);

  private static SimulatedDriver machine(long seed) {
    return SimulatedDriver.builder().preset(Preset.PCIE).devices(2).seed(seed).build();
  }

  @Test
  void openingFailsAsAWholeAndCanBeTriedAgain() {
    for (int nth = 1; ; nth++) {
      SimulatedDriver machine = machine(nth);
      FaultyDriver faulty = new FaultyDriver(machine, FaultyDriver.REFUSAL);
      faulty.arm(nth);
      CuRuntime opened = null;
      try {
        opened = CuRuntime.open(faulty.driver());
      } catch (CuDriverException e) {
        assertThat(e.call()).isEqualTo(faulty.disarm().call());
      }
      if (opened != null) {
        opened.close();
        assertThat(faulty.disarm()).isNull();
        assertThat(nth).as("calls that could fail").isGreaterThan(2);
        return;
      }
      try (CuRuntime cuda = CuRuntime.open(faulty.driver());
          CuArray<Integer> array = cuda.device(0).zeros(INT32, 3)) {
        assertThat(array.toArray(INT32)).containsOnly(0);
      }
      assertThat(machine.findings()).isEmpty();
    }
  }

  /** Arrays of one kind are closed with work in flight, then the runtime. */
  @ParameterizedTest(name = "{0} memory")
  @EnumSource
  void closingThrowsNothingAndFreesNothingInFlight(AllocatorKind kind) {
    List<String> failures = new ArrayList<>();
    Fault fault;
    long nth = 0;
    do {
      nth++;
      SimulatedDriver machine = machine(nth);
      fault = Assertions.assertTimeoutPreemptively(BOUND, closing(machine, kind, nth)::run);
      for (Finding finding : machine.findings()) {
        if (!Tolerated.isTolerated(fault, finding)) {
          failures.add("call %d, %s: %s".formatted(nth, fault, finding));
        }
      }
    } while (fault != null);
    assertThat(failures).isEmpty();
    assertThat(nth).as("calls that could fail").isGreaterThan(20);
  }

  private interface Closing {
    Fault run();
  }

  private static Closing closing(SimulatedDriver machine, AllocatorKind kind, long nth) {
    return () -> {
      FaultyDriver faulty = new FaultyDriver(machine, FaultyDriver.REFUSAL);
      CuRuntime cuda = CuRuntime.builder().driver(faulty.driver()).staging(4 << 10, 2).open();
      CuArray<Integer> one = cuda.device(0).using(kind).full(INT32, 1, LENGTH);
      CuArray<Integer> other = cuda.device(1).using(kind).zeros(INT32, LENGTH);
      HostArray<Integer> host = cuda.device(0).hostArray(INT32, LENGTH);
      one.copyTo(other);
      one.copyTo(host);
      other.copyFrom(host);
      faulty.arm(nth);
      host.close();
      other.close();
      one.close();
      cuda.close();
      return faulty.disarm();
    };
  }

  @Test
  void aClosedRuntimeIsOfNoUseWhateverFailed() {
    FaultyDriver faulty = new FaultyDriver(machine(1), FaultyDriver.REFUSAL);
    CuRuntime cuda = CuRuntime.open(faulty.driver());
    CuArray<Integer> array = cuda.device(0).zeros(INT32, LENGTH);
    faulty.arm(1);
    cuda.close();
    assertThatThrownBy(() -> array.fill(1)).hasMessageContaining("closed");
  }
}
