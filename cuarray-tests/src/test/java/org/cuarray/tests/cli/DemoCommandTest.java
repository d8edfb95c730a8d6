package org.cuarray.tests.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.tests.conformance.DriverRig.ok;

import java.util.concurrent.atomic.AtomicInteger;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.InterceptedDriver;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.registry.DeviceContexts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** On machines of two devices or one, since every link more costs its proofs. */
class DemoCommandTest {
  private static final long ODD_SIZE = 70_001;

  @ParameterizedTest
  @EnumSource(
      names = {
        "PCIE",
        "ONE_WAY",
        "NO_POOLS",
        "BROKEN_IOMMU",
        "MIRROR",
        "POOL_GRANT_LOSES_WRITES",
        "LOSES_LARGE",
        "BREAKS_AFTER_GROWTH"
      })
  void everyByteIsRightOnEveryMachine(Preset preset) {
    CommandRun run = demo(SimulatedDriver.of(preset, 2));

    assertThat(run.exitCode()).as(run.out()).isZero();
    assertThat(run.rows())
        .hasSize(preset == Preset.NO_POOLS ? 4 : 16)
        .allMatch(row -> row.endsWith("right"));
    assertThat(run.lastLine()).matches("Every byte of all (4|16) copies was right \\(seed 7\\)\\.");
  }

  @Test
  void aLinkedPairCopiesOverItsLink() {
    CommandRun run = demo(SimulatedDriver.of(Preset.NVLINK, 2));

    assertThat(run.exitCode()).isZero();
    assertThat(run.rows()).hasSize(16).allMatch(row -> row.endsWith("right"));
    assertThat(run.rows("cuda:0", "cuda:1"))
        .hasSize(4)
        .allMatch(row -> row.matches(".* peer +68.4 KiB +– +(proved|slow) +right"));
    assertThat(run.rows("cuda:1", "cuda:1"))
        .hasSize(4)
        .allMatch(row -> row.contains("same device"));
  }

  @Test
  void aLinkThatLosesItsBytesShowsAsQuarantined() {
    CommandRun run = demo(SimulatedDriver.of(Preset.POOL_GRANT_LOSES_WRITES, 2));

    assertThat(run.rows("cuda:0", "cuda:1"))
        .satisfiesExactlyInAnyOrder(
            row -> assertThat(row).containsPattern("classic → classic +peer .*(proved|slow)"),
            row -> assertThat(row).containsPattern("pool → classic +peer .*(proved|slow)"),
            row -> assertThat(row).containsPattern("classic → pool +host staged .*quarantined"),
            row -> assertThat(row).containsPattern("pool → pool +host staged .*quarantined"));
  }

  @Test
  void aCopyThatNeverHappensEndsWithOne() {
    CudaDriver skipping =
        InterceptedDriver.around(
            SimulatedDriver.of(Preset.NVLINK, 2),
            (call, arguments, proceed) ->
                call.equals("cuMemcpyPeerAsync") && arguments[4].equals(ODD_SIZE)
                    ? CudaError.SUCCESS
                    : proceed.call());

    CommandRun run = demo(skipping);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.rows("cuda:0", "cuda:1")).allMatch(row -> row.endsWith("WRONG at byte 0"));
    assertThat(run.rows("cuda:0", "cuda:0")).allMatch(row -> row.endsWith("right"));
    assertThat(run.lastLine())
        .isEqualTo("8 OF 16 COPIES FAILED OR DELIVERED WRONG BYTES (seed 7).");
  }

  @Test
  void aSingleWrongByteEndsWithOne() {
    SimulatedDriver machine = SimulatedDriver.of(Preset.NVLINK, 1);
    AtomicInteger copies = new AtomicInteger();
    CudaDriver spoiling =
        InterceptedDriver.around(
            machine,
            (call, arguments, proceed) -> {
              int status = proceed.call();
              if (call.equals("cuMemcpyDtoDAsync") && copies.incrementAndGet() == 3) {
                overwrite(machine, (long) arguments[0] + ODD_SIZE - 1);
              }
              return status;
            });

    CommandRun run = demo(spoiling);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.rows())
        .filteredOn(row -> !row.endsWith("right"))
        .singleElement()
        .matches(row -> row.endsWith("WRONG at byte 70000"));
    assertThat(run.lastLine()).startsWith("1 OF 4 COPIES FAILED OR DELIVERED WRONG BYTES");
  }

  private static void overwrite(CudaDriver driver, long address) {
    long[] byteBefore = new long[1];
    DeviceContexts contexts = DeviceContexts.of(driver);
    contexts.enter(contexts.context(0));
    try {
      ok(driver.hostMalloc(byteBefore, 1));
      ok(driver.memcpyDtoH(byteBefore[0], address, 1));
      byte spoiled = (byte) ~driver.hostBuffer(byteBefore[0], 1).get(0);
      ok(driver.memsetD8Async(address, spoiled, 1, 0));
      driver.hostFree(byteBefore[0]);
    } finally {
      contexts.leave();
    }
  }

  @Test
  void aFailingCopyIsReportedAndTheOthersGoOn() {
    SimulatedDriver machine =
        SimulatedDriver.builder()
            .devices(1)
            .fail("cuMemcpyDtoDAsync", 2, CudaError.INVALID_VALUE)
            .build();

    CommandRun run = demo(machine);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.rows()).hasSize(4).filteredOn(row -> row.endsWith("right")).hasSize(3);
    assertThat(run.out()).contains("FAILED: cuMemcpyDtoDAsync failed on cuda:0 (70001 bytes)");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void simulatedBandwidthsAreNotShown() {
    CommandRun run = demo(SimulatedDriver.of(Preset.NVLINK, 1));

    assertThat(run.firstLine())
        .startsWith("SIMULATED MACHINE: simulated:nvlink, as asked for. Everything below happens");
    assertThat(run.rows()).allMatch(row -> row.matches(".* 68.4 KiB +– .*"));
  }

  @Test
  void realBandwidthsAreMeasured() {
    CommandRun run = demo(TestDrivers.calledCuda(SimulatedDriver.of(Preset.NVLINK, 1)));

    assertThat(run.firstLine()).isEqualTo("cuda, 1 device: 4 copies of 68.4 KiB, seed 7");
    assertThat(run.rows()).allMatch(row -> row.matches(".* 68.4 KiB +[0-9]+[.][0-9] .*"));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1 B",
    "4096, 4 KiB",
    "512b, 512 B",
    "64KiB, 64 KiB",
    "64 kib, 64 KiB",
    "3MiB, 3 MiB",
    "1025KiB, 1025 KiB",
    "10001KiB, 9.8 MiB"
  })
  void sizesHaveUnits(String asked, String shown) {
    CommandRun run =
        CommandRun.of(
            TestDrivers.only(SimulatedDriver.of(Preset.NO_POOLS, 1)), "demo", "--size", asked);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("1 copies of " + shown + ",");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "1.5MiB", "MiB", "64KB", "9223372036854775808", "9999999TiB"})
  void whatIsNoSizeIsRefused(String asked) {
    CommandRun run =
        CommandRun.of(TestDrivers.only(SimulatedDriver.of(Preset.NVLINK)), "demo", "--size", asked);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .contains("\"" + asked + "\" is no size")
        .contains("See cuarray demo --help")
        .doesNotContain("\tat ");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void anArrayPastThePiecesOfTheCheckIsCheckedWhole() {
    CommandRun run =
        CommandRun.of(
            TestDrivers.only(SimulatedDriver.of(Preset.NO_POOLS, 1)), "demo", "--size", "40MiB");

    assertThat(run.exitCode()).isZero();
    assertThat(run.rows()).singleElement().matches(row -> row.endsWith("right"));
  }

  @Test
  void theSeedDecidesTheBytes() {
    assertThat(firstBytes("1")).isEqualTo(firstBytes("1")).isNotEqualTo(firstBytes("2"));
  }

  private static long firstBytes(String seed) {
    SimulatedDriver machine = SimulatedDriver.of(Preset.NO_POOLS, 1);
    long[] seen = new long[1];
    CudaDriver looking =
        InterceptedDriver.around(
            machine,
            (call, arguments, proceed) -> {
              if (call.equals("cuMemcpyHtoDAsync")) {
                seen[0] = machine.hostBuffer((long) arguments[1], 8).getLong(0);
              }
              return proceed.call();
            });
    assertThat(
            CommandRun.of(TestDrivers.only(looking), "demo", "--size", "4KiB", "--seed", seed)
                .exitCode())
        .isZero();
    return seen[0];
  }

  @Test
  void aProgressBarIsShownWhereItIsAskedFor() {
    CommandRun with =
        CommandRun.of(
            TestDrivers.only(SimulatedDriver.of(Preset.NVLINK, 1)),
            "demo",
            "--progress",
            "--size",
            "4KiB");
    CommandRun without =
        CommandRun.of(
            TestDrivers.only(SimulatedDriver.of(Preset.NVLINK, 1)),
            "demo",
            "--no-progress",
            "--size",
            "4KiB");

    assertThat(with.out()).contains("[---").containsPattern("3 of 4, [0-9]+ s left\r");
    assertThat(without.out()).doesNotContain("[---").doesNotContain("\r ");
  }

  private static CommandRun demo(CudaDriver driver) {
    return CommandRun.of(
        TestDrivers.only(driver),
        "demo",
        "--no-progress",
        "--seed",
        "7",
        "--size",
        Long.toString(ODD_SIZE));
  }
}
