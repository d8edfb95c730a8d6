package org.cuarray.tests.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.driver.CudaError.INVALID_VALUE;
import static org.cuarray.tests.conformance.DriverRig.expect;
import static org.cuarray.tests.conformance.DriverRig.ok;

import java.util.List;
import org.cuarray.driver.simulated.Finding;
import org.cuarray.driver.simulated.Finding.Kind;
import org.cuarray.driver.simulated.Finding.Place;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.conformance.DriverRig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FindingsTest {
  private final SimulatedDriver driver = SimulatedDriver.of(Preset.NVLINK);
  private final DriverRig rig = new DriverRig(driver);

  @AfterEach
  void giveBack() {
    rig.close();
    assertThat(driver.findings()).noneMatch(finding -> finding.kind() == Kind.LEAK);
  }

  @Test
  void whatIsNotFreedIsALeakThatNamesItsPlace() {
    long pointer = rig.classic(1, 4096);
    Finding leak = only();
    assertThat(leak.kind()).isEqualTo(Kind.LEAK);
    assertThat(leak.message())
        .isEqualTo(
            "classic memory of device 1, 4096 bytes at 0x%x was never freed".formatted(pointer));
    Place place = leak.places().get(0);
    assertThat(place.operation()).isEqualTo("allocated");
    assertThat(place.stack().get(0).getClassName()).startsWith(DriverRig.class.getName());
    assertThat(leak.toString()).contains("LEAK", getClass().getName());
  }

  @Test
  void everyKindOfMemoryCanLeak() {
    rig.pooled(0, 1);
    rig.pinned(0, 2);
    rig.pageable(3);
    assertThat(driver.findings())
        .extracting(Finding::message)
        .satisfiesExactlyInAnyOrder(
            message -> assertThat(message).startsWith("pool memory of device 0, 1 bytes"),
            message -> assertThat(message).startsWith("pinned memory of device 0, 2 bytes"),
            message -> assertThat(message).startsWith("pageable memory, 3 bytes"));
  }

  @Test
  void aCopyOfFreedMemoryIsRefusedAndFound() {
    long freed = rig.classic(0, 4096);
    long other = rig.pooled(0, 4096);
    ok(driver.memFree(freed));
    rig.forget(freed);
    expect(INVALID_VALUE, driver.memcpyDtoDAsync(other, freed + 100, 16, rig.stream(0)));
    Finding finding =
        driver.findings().stream().filter(f -> f.kind() == Kind.USE_AFTER_FREE).findAny().get();
    assertThat(finding.message())
        .isEqualTo("read of freed classic memory of device 0, 4096 bytes at 0x%x".formatted(freed));
    assertThat(finding.places())
        .extracting(Place::operation)
        .containsExactly("allocated", "freed", "used");
    assertThat(finding.places().get(2).stack().get(0).getMethodName())
        .isEqualTo("aCopyOfFreedMemoryIsRefusedAndFound");
  }

  @Test
  void anAddressThatWasNeverAllocatedIsNoFinding() {
    expect(INVALID_VALUE, driver.memsetD8Async(0x1234, (byte) 0, 1, rig.stream(0)));
    assertThat(driver.findings()).isEmpty();
  }

  @Test
  void freeingTwiceIsTheDriversErrorAndNoFinding() {
    long freed = rig.classic(0, 4096);
    ok(driver.memFree(freed));
    rig.forget(freed);
    expect(INVALID_VALUE, driver.memFree(freed));
    assertThat(driver.findings()).isEmpty();
  }

  @Test
  void placesCanBeLeftOut() {
    SimulatedDriver terse = SimulatedDriver.builder().withoutPlaces().build();
    try (DriverRig own = new DriverRig(terse)) {
      own.classic(0, 16);
      assertThat(terse.findings().get(0).places())
          .containsExactly(new Place("allocated", List.of()));
    }
  }

  private Finding only() {
    List<Finding> findings = driver.findings();
    assertThat(findings).hasSize(1);
    return findings.get(0);
  }
}
