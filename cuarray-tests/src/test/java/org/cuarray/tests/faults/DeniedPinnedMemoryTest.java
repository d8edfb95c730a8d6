package org.cuarray.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.cuarray.DType.INT32;

import java.util.stream.Stream;
import org.cuarray.AllocatorKind;
import org.cuarray.CuOutOfMemoryException;
import org.cuarray.CuRuntime;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Where no memory can be pinned, everything but pinned arrays works, only slower. */
class DeniedPinnedMemoryTest {
  static Stream<Operations.Named> withoutHostArrays() {
    return Stream.of(AllocatorKind.values())
        .flatMap(
            kind ->
                Stream.concat(
                    Operations.onOneDevice(kind).stream(),
                    Operations.betweenDevices(kind, kind).stream()))
        .filter(operation -> !operation.name().matches("(.*host array|hostArray).*"));
  }

  private static SimulatedDriver machine() {
    return OtherOperations.withKernel(SimulatedDriver.builder())
        .preset(Preset.PCIE)
        .devices(2)
        .seed(1)
        .denyPinned()
        .build();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("withoutHostArrays")
  void isOnlyAMatterOfSpeed(Operations.Named operation) throws Exception {
    SimulatedDriver machine = machine();
    try (CuRuntime cuda = CuRuntime.builder().driver(machine).staging(4 << 10, 2).open();
        FaultCase test = new FaultCase(cuda, machine)) {
      operation.preparation().accept(test);
      test.operation.run();
      test.result.run();
      test.checkUntouched();
    }
    assertThat(machine.findings()).isEmpty();
  }

  @Test
  void pinnedArraysSayThatThereIsNoMemoryForThem() {
    SimulatedDriver machine = machine();
    try (CuRuntime cuda = CuRuntime.open(machine)) {
      assertThatExceptionOfType(CuOutOfMemoryException.class)
          .isThrownBy(() -> cuda.device(0).hostArray(INT32, 1000));
    }
    assertThat(machine.findings()).isEmpty();
  }
}
