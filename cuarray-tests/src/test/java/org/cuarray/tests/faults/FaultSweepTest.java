package org.cuarray.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.cuarray.AllocatorKind;
import org.cuarray.CuRuntime;
import org.cuarray.VerifyMode;
import org.cuarray.driver.simulated.Preset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every driver call of every operation fails once. */
class FaultSweepTest {
  /** A proof makes some hundred calls, and takes half a second. */
  private static final int EVERY_SO_MANY = 11;

  private static FaultSweep sweep(Preset preset) {
    return new FaultSweep(preset, FaultSweepTest::smallSlots);
  }

  private static void smallSlots(CuRuntime.Builder options) {
    options.staging(4 << 10, 2);
  }

  static Stream<Operations.Named> onOneDevice() {
    return Stream.of(AllocatorKind.values()).flatMap(kind -> Operations.onOneDevice(kind).stream());
  }

  static Stream<Operations.Named> betweenDevices() {
    return Stream.of(AllocatorKind.values())
        .flatMap(
            source ->
                Stream.of(AllocatorKind.values())
                    .flatMap(to -> Operations.betweenDevices(source, to).stream()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"onOneDevice", "betweenDevices"})
  void theFirstUseOfAMachineWithoutLinks(Operations.Named operation) {
    assertThat(sweep(Preset.PCIE).firstUse(operation.preparation(), 1)).isPositive();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"onOneDevice", "betweenDevices"})
  void aLaterUseOfAMachineWithoutLinks(Operations.Named operation) {
    assertThat(sweep(Preset.PCIE).laterUse(operation.preparation())).isPositive();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("betweenDevices")
  void aCopyOverALink(Operations.Named operation) {
    assertThat(sweep(Preset.NVLINK).laterUse(operation.preparation())).isPositive();
  }

  @ParameterizedTest(name = "{0} memory")
  @EnumSource
  void aCopyThatProvesItsLink(AllocatorKind kind) {
    Operations.Named copy = Operations.betweenDevices(kind, kind).get(0);
    assertThat(sweep(Preset.NVLINK).firstUse(copy.preparation(), EVERY_SO_MANY)).isPositive();
  }

  @ParameterizedTest(name = "{0} memory")
  @EnumSource
  void aVerifiedCopyOverALink(AllocatorKind kind) {
    Operations.Named copy = Operations.betweenDevices(kind, kind).get(0);
    FaultSweep sweep =
        new FaultSweep(
            Preset.NVLINK,
            options -> {
              smallSlots(options);
              options.verify(VerifyMode.EVERY_COPY);
            });
    assertThat(sweep.laterUse(copy.preparation())).isPositive();
  }
}
