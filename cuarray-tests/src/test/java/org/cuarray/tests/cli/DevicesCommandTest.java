package org.cuarray.tests.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.cuarray.driver.RecordingDriver;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.api.Test;

class DevicesCommandTest {
  @Test
  void devicesAreListedWithWhatTheyHave() {
    CommandRun run = devices(SimulatedDriver.of(Preset.NO_POOLS, 2));

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .containsPattern("device +name +uuid +memory +pools")
        .containsPattern("cuda:1 +Simulated GPU 1 \\(no-pools\\) +GPU-[-0-9a-f]{36} +139 GiB +no");
  }

  @Test
  void poolsAreSaidToBeThere() {
    assertThat(devices(SimulatedDriver.of(Preset.MIG, 1)).rows())
        .singleElement()
        .matches(row -> row.matches("cuda:0 +Simulated GPU 0 MIG .* 16 GiB +yes"));
  }

  @Test
  void linksStayUntriedAndDevicesUnused() {
    RecordingDriver recording = new RecordingDriver(SimulatedDriver.of(Preset.NVLINK, 3));

    CommandRun run = CommandRun.of(TestDrivers.only(recording.driver()), "devices");

    assertThat(run.out())
        .containsPattern("cuda:0 +– +untried +untried\n")
        .containsPattern("cuda:2 +untried +untried +–\n")
        .contains("--prove does it now");
    assertThat(recording.calls("cuDevicePrimaryCtxRetain", "cuMemAlloc", "cuMemPoolCreate"))
        .isEmpty();
  }

  @Test
  void incapableLinksShowWithoutBeingTried() {
    assertThat(devices(SimulatedDriver.of(Preset.ONE_WAY)).out())
        .containsPattern("cuda:0 +– +not capable\n")
        .contains(
            "cuda:0 → cuda:1, cuda:1 → cuda:0: the driver reports one-way access only: cuda:0"
                + " reaches cuda:1, not the other way round.");
  }

  @Test
  void provingSettlesEveryLink() {
    CommandRun run = devices(SimulatedDriver.of(Preset.NVLINK, 2), "--prove");

    assertThat(run.out())
        .doesNotContain("untried")
        .containsPattern("cuda:0 +– +proved\n")
        .containsPattern("cuda:1 +proved +–\n")
        .containsPattern(
            "cuda:0 → cuda:1, cuda:1 → cuda:0: proved \\(classic → classic\\);.*proved \\(pool → pool\\)");
  }

  @Test
  void aLinkThatLiesIsNamedWithItsReason() {
    CommandRun run = devices(SimulatedDriver.of(Preset.MIRROR, 2), "--prove");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .containsPattern("cuda:1 +quarantined +–\n")
        .contains("cuda:0 → cuda:1, cuda:1 → cuda:0: the link does not deliver data (classic →");
  }

  @Test
  void aSingleDeviceHasNoLinks() {
    assertThat(devices(SimulatedDriver.of(Preset.NVLINK, 1), "--prove").out())
        .contains("simulated:nvlink, 1 device\n")
        .doesNotContain("links");
  }

  private static CommandRun devices(SimulatedDriver machine, String... options) {
    String[] arguments = new String[options.length + 1];
    arguments[0] = "devices";
    System.arraycopy(options, 0, arguments, 1, options.length);
    return CommandRun.of(TestDrivers.only(machine), arguments);
  }
}
