package org.cuarray.tests.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.tests.conformance.DriverRig.ok;

import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.PoolAccess;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.conformance.DriverRig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each liar lies as it says, and nowhere else: its calls succeed, its staging is right. */
class LiarPresetsTest {
  private static final int BYTES = 4096;
  private static final long LARGE = 16L << 20;
  private static final byte OLD = 1;
  private static final byte NEW = 2;
  private static final byte FLIPPED = 3;

  private DriverRig rig;
  private CudaDriver driver;

  @AfterEach
  void giveBack() {
    rig.close();
  }

  @ParameterizedTest
  @EnumSource
  void everyMachineIsRightWithinADeviceAndByTheDriversStaging(Preset preset) {
    open(preset);
    if (preset != Preset.NO_POOLS) {
      assertThat(copied(rig.pooled(0, BYTES), rig.pooled(1, BYTES), BYTES)).isEqualTo(NEW);
    }
    assertThat(copied(rig.classic(0, LARGE), rig.classic(1, LARGE), LARGE)).isEqualTo(NEW);
    long within = rig.classic(0, LARGE);
    long other = rig.classic(0, LARGE);
    rig.fill(0, within, OLD, LARGE);
    rig.fill(0, other, NEW, LARGE);
    ok(driver.memcpyDtoDAsync(within, other, LARGE, rig.stream(0)));
    assertThat(rig.read(0, within + LARGE - 1, 1)).containsExactly(NEW);
  }

  @ParameterizedTest
  @EnumSource(names = {"NVLINK", "SIXTEEN", "MIXED", "NO_POOLS"})
  void honestMachinesAreRightOverTheLink(Preset preset) {
    open(preset);
    rig.enablePeers(0, 1);
    assertThat(copied(rig.classic(0, LARGE), rig.classic(1, LARGE), LARGE)).isEqualTo(NEW);
  }

  @Test
  void behindABrokenIommuEveryEnabledLinkLosesItsWrites() {
    open(Preset.BROKEN_IOMMU);
    long from = rig.classic(0, BYTES);
    long to = rig.classic(1, BYTES);
    rig.enablePeers(0, 1);
    assertThat(copied(from, to, BYTES)).isEqualTo(OLD);
    assertThat(copied(from, to, 1)).isEqualTo(OLD);
  }

  @Test
  void behindABrokenIommuALinkThatWasNotEnabledIsStagedAndRight() {
    open(Preset.BROKEN_IOMMU);
    rig.enablePeers(0, 2);
    assertThat(copied(rig.classic(0, BYTES), rig.classic(1, BYTES), BYTES)).isEqualTo(NEW);
  }

  @Test
  void aMirrorShowsTheWriterItsOwnDataAndTheOwnerWhatWasThere() {
    open(Preset.MIRROR);
    long from = rig.classic(0, BYTES);
    long to = rig.classic(1, BYTES);
    rig.enablePeers(0, 1);
    rig.write(1, to + BYTES - 1, OLD);
    assertThat(copied(from, to, BYTES)).isEqualTo(OLD);
    assertThat(rig.read(0, to, 1)).as("read by the writer").containsExactly(NEW);
    assertThat(rig.read(1, to, 1)).as("read by the owner").containsExactly(OLD);
    assertThat(rig.read(2, to, 1)).as("read by a third").containsExactly(OLD);
  }

  @Test
  void aMirroredRangeIsGoneWhereTheOwnerWrites() {
    open(Preset.MIRROR);
    long from = rig.classic(0, BYTES);
    long to = rig.classic(1, BYTES);
    rig.enablePeers(0, 1);
    copied(from, to, BYTES);
    rig.write(1, to + 1, (byte) 9);
    assertThat(rig.read(0, to, 3)).containsExactly(NEW, 9, NEW);
    assertThat(rig.read(1, to, 3)).containsExactly(OLD, 9, OLD);
    rig.fill(1, to, 8, 1);
    assertThat(rig.read(0, to, 3)).containsExactly(8, 9, NEW);
  }

  @Test
  void aMirrorReflectsCopiesOnTheOwnersStreamToo() {
    open(Preset.MIRROR);
    long from = rig.classic(0, BYTES);
    long to = rig.classic(1, BYTES);
    rig.enablePeers(0, 1);
    rig.fill(0, from, NEW, BYTES);
    rig.fill(1, to, OLD, BYTES);
    ok(driver.memcpyPeerAsync(to, 0, from, 0, BYTES, rig.stream(1)));
    assertThat(rig.read(1, to, 1)).containsExactly(OLD);
    assertThat(rig.read(0, to, 1)).containsExactly(NEW);
  }

  @Test
  void aPoolThatWasGrantedLosesWritesAndClassicMemoryDoesNot() {
    open(Preset.POOL_GRANT_LOSES_WRITES);
    rig.enablePeers(0, 1);
    long pool = rig.pool(1);
    long from = rig.classic(0, BYTES);
    long pooled = rig.pooled(1, pool, BYTES);
    assertThat(copied(from, pooled, BYTES)).as("before the grant").isEqualTo(NEW);
    ok(driver.memPoolSetAccess(pool, 0, PoolAccess.READ_WRITE));
    assertThat(copied(from, pooled, BYTES)).as("after it").isEqualTo(OLD);
    assertThat(copied(from, rig.classic(1, BYTES), BYTES)).as("classic").isEqualTo(NEW);
  }

  @Test
  void onlyLargeCopiesAreLost() {
    open(Preset.LOSES_LARGE);
    rig.enablePeers(0, 1);
    long from = rig.classic(0, LARGE);
    long to = rig.classic(1, LARGE);
    assertThat(copied(from, to, LARGE - 1)).isEqualTo(NEW);
    assertThat(copied(from, to, LARGE)).isEqualTo(OLD);
  }

  @Test
  void classicMemoryMappedAfterTheLinkWasOpenedIsNotWritten() {
    open(Preset.BREAKS_AFTER_GROWTH);
    long from = rig.classic(0, BYTES);
    long before = rig.classic(1, BYTES);
    rig.enablePeers(0, 1);
    assertThat(copied(from, before, BYTES)).isEqualTo(NEW);
    assertThat(copied(from, rig.classic(1, BYTES), BYTES)).isEqualTo(OLD);
  }

  @Test
  void poolMemoryMappedAfterTheGrantIsNotWritten() {
    open(Preset.BREAKS_AFTER_GROWTH);
    long pool = rig.pool(1);
    long from = rig.classic(0, BYTES);
    long before = rig.pooled(1, pool, BYTES);
    ok(driver.memPoolSetAccess(pool, 0, PoolAccess.READ_WRITE));
    assertThat(copied(from, before, BYTES)).isEqualTo(NEW);
    long ofTheSameGrowth = rig.pooled(1, pool, BYTES);
    assertThat(copied(from, ofTheSameGrowth, BYTES)).isEqualTo(NEW);
    long grown = rig.pooled(1, pool, 64L << 20);
    assertThat(copied(from, grown, BYTES)).isEqualTo(OLD);
  }

  @Test
  void aLinkFlipsABitOnceItHasCopiedOftenEnough() {
    open(SimulatedDriver.builder().preset(Preset.FLIPS_LATER).flipsAfter(3).build());
    rig.enablePeers(0, 1);
    long from = rig.classic(0, 3);
    long to = rig.classic(1, 3);
    for (int copy = 1; copy <= 3; copy++) {
      assertThat(copied(from, to, 3)).isEqualTo(NEW);
      assertThat(rig.read(1, to, 3)).containsExactly(NEW, NEW, NEW);
    }
    copied(from, to, 3);
    assertThat(rig.read(1, to, 3)).containsExactly(NEW, FLIPPED, NEW);
    long other = rig.classic(2, 3);
    rig.enablePeers(0, 2);
    rig.fill(2, other, OLD, 3);
    ok(driver.memcpyPeerAsync(other, 0, from, 0, 3, rig.stream(0)));
    assertThat(rig.read(2, other, 3)).as("another link").containsExactly(NEW, NEW, NEW);
  }

  @Test
  void byDefaultALinkFlipsOnlyAfterMoreCopiesThanAProofMakes() {
    open(Preset.FLIPS_LATER);
    rig.enablePeers(0, 1);
    long from = rig.classic(0, 1);
    long to = rig.classic(1, 1);
    int right = 0;
    while (copied(from, to, 1) == NEW) {
      right++;
    }
    assertThat(right).isEqualTo(200);
  }

  private void open(Preset preset) {
    open(SimulatedDriver.of(preset));
  }

  private void open(CudaDriver machine) {
    driver = machine;
    rig = new DriverRig(machine);
  }

  /** Copies from device 0 to device 1 and gives the first byte that the owner then reads. */
  private byte copied(long from, long to, long bytes) {
    rig.fill(0, from, NEW, bytes);
    rig.fill(1, to, OLD, bytes);
    ok(driver.memcpyPeerAsync(to, rig.context(1), from, rig.context(0), bytes, rig.stream(0)));
    rig.synchronize(0);
    return rig.read(1, to, 1)[0];
  }
}
