package org.cuarray.tests.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.cuarray.driver.CudaError.INVALID_DEVICE;
import static org.cuarray.driver.CudaError.NOT_SUPPORTED;
import static org.cuarray.driver.CudaError.PEER_ACCESS_UNSUPPORTED;
import static org.cuarray.tests.conformance.DriverRig.expect;
import static org.cuarray.tests.conformance.DriverRig.ok;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.DeviceAttribute;
import org.cuarray.driver.PoolAccess;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.conformance.DriverRig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PresetTest {

  @ParameterizedTest
  @EnumSource
  void aPresetIsFoundByItsName(Preset preset) {
    assertThat(Preset.named(preset.presetName())).isSameAs(preset);
    assertThat(preset.presetName()).matches("[a-z]+(-[a-z]+)*");
    assertThat(SimulatedDriver.of(preset).description())
        .isEqualTo("simulated:" + preset.presetName());
  }

  @Test
  void anUnknownNameIsAnsweredWithAllNames() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Preset.named("nvlnk"))
        .withMessageContaining("nvlnk")
        .withMessageContaining("nvlink, pcie, mixed, one-way, sixteen, no-pools, mig, broken-iommu")
        .withMessageContaining("flips-later");
  }

  @ParameterizedTest
  @CsvSource({
    "NVLINK,  4, 0111 1011 1101 1110",
    "PCIE,    4, 0000 0000 0000 0000",
    "MIXED,   4, 0100 1000 0001 0010",
    "ONE_WAY, 2, 01 00",
    "ONE_WAY, 4, 0111 0011 0001 0000",
    "MIG,     2, 00 00"
  })
  void theDriversWordOnPeersIsTheWiring(Preset preset, int devices, String wiring) {
    CudaDriver driver = SimulatedDriver.of(preset, devices);
    ok(driver.init(0));
    StringBuilder answers = new StringBuilder();
    for (int from = 0; from < devices; from++) {
      answers.append(from == 0 ? "" : " ");
      for (int to = 0; to < devices; to++) {
        int[] answer = new int[1];
        ok(driver.deviceCanAccessPeer(answer, from, to));
        answers.append(answer[0]);
      }
    }
    assertThat(answers).hasToString(wiring);
  }

  @Test
  void aDirectionThatIsNotWiredCannotBeOpened() {
    CudaDriver driver = SimulatedDriver.of(Preset.ONE_WAY);
    try (DriverRig rig = new DriverRig(driver)) {
      rig.enablePeer(0, 1);
      rig.use(1);
      expect(PEER_ACCESS_UNSUPPORTED, driver.ctxEnablePeerAccess(rig.context(0), 0));
      ok(driver.memPoolSetAccess(rig.pool(1), 0, PoolAccess.READ_WRITE));
      expect(INVALID_DEVICE, driver.memPoolSetAccess(rig.pool(0), 1, PoolAccess.READ_WRITE));
    }
  }

  @Test
  void withoutPoolsStreamOrderedCallsAreNotSupported() {
    CudaDriver driver = SimulatedDriver.of(Preset.NO_POOLS);
    try (DriverRig rig = new DriverRig(driver)) {
      int[] supported = {-1};
      long stream = rig.stream(0);
      ok(driver.deviceGetAttribute(supported, DeviceAttribute.MEMORY_POOLS_SUPPORTED, 0));
      assertThat(supported[0]).isZero();
      expect(NOT_SUPPORTED, driver.deviceGetDefaultMemPool(new long[1], 0));
      expect(NOT_SUPPORTED, driver.memPoolCreate(new long[1], 0));
      expect(NOT_SUPPORTED, driver.memAllocAsync(new long[1], 16, stream));
      expect(NOT_SUPPORTED, driver.memAllocFromPoolAsync(new long[1], 16, 1, stream));
      rig.fill(0, rig.classic(0, 16), 1, 16);
    }
  }

  @ParameterizedTest
  @EnumSource
  void devicesSayThatTheyAreSimulatedAndDiffer(Preset preset) {
    CudaDriver driver = SimulatedDriver.of(preset);
    int[] count = new int[1];
    Set<String> seen = new HashSet<>();
    ok(driver.init(0));
    ok(driver.deviceGetCount(count));
    for (int device = 0; device < count[0]; device++) {
      byte[] name = new byte[100];
      byte[] uuid = new byte[16];
      ok(driver.deviceGetName(name, device));
      ok(driver.deviceGetUuid(uuid, device));
      assertThat(new String(name, StandardCharsets.US_ASCII))
          .startsWith("Simulated GPU " + device)
          .contains("(" + preset.presetName() + ")\0");
      seen.add(new String(uuid, StandardCharsets.ISO_8859_1));
    }
    assertThat(seen).hasSize(count[0]);
  }

  @Test
  void aNameIsCutToItsArrayAndEnds() {
    CudaDriver driver = SimulatedDriver.of(Preset.MIG);
    byte[] name = new byte[10];
    ok(driver.init(0));
    ok(driver.deviceGetName(name, 0));
    assertThat(new String(name, StandardCharsets.US_ASCII)).isEqualTo("Simulated\0");
  }

  @Test
  void aMachineHasOneToSixteenDevices() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SimulatedDriver.of(Preset.NVLINK, 17))
        .withMessageContaining("17 devices");
    assertThatIllegalArgumentException().isThrownBy(() -> SimulatedDriver.of(Preset.NVLINK, 0));
  }
}
