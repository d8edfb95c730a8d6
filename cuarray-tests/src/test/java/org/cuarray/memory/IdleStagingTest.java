package org.cuarray.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.tests.conformance.DriverRig.ok;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.cuarray.CuArray;
import org.cuarray.CuRuntime;
import org.cuarray.DType;
import org.cuarray.HostArray;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.memory.Staging.Use;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Pinned memory for staging goes back when nothing passes through it. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
class IdleStagingTest {
  private static final long MIB = 1 << 20;

  private final SimulatedDriver machine = SimulatedDriver.of(Preset.PCIE, 2);

  @BeforeEach
  void initialise() {
    ok(machine.init(0));
  }

  @AfterEach
  void nothingIsLeft() {
    assertThat(machine.findings()).isEmpty();
  }

  private Staging staging(Duration idle) {
    return new Staging(machine, 2, StagingBounds.DEFAULT, idle);
  }

  @Test
  void memoryThatATransferUsesStays() {
    Staging staging = staging(Duration.ofDays(1));
    StagingRing ring = staging.begin(Use.BETWEEN_DEVICES, 0, 100 * MIB);
    StagingRing other = staging.begin(Use.UPLOAD, 1, 1000);
    long held = staging.held();
    other.end();
    assertThat(staging.giveBackIdle(0)).isTrue();
    assertThat(staging.held()).isPositive().isLessThan(held);
    assertThat(ring.next().address()).isNotZero();
    ring.end();
    assertThat(staging.giveBackIdle(0)).isFalse();
    assertThat(staging.held()).isZero();
    staging.close();
  }

  @Test
  void memoryThatWasUsedAMomentAgoStays() {
    Staging staging = staging(Duration.ofDays(1));
    staging.begin(Use.DOWNLOAD, 0, 1000).end();
    assertThat(staging.giveBackIdle(Duration.ofHours(1).toNanos())).isTrue();
    assertThat(staging.held()).isPositive();
    staging.close();
    assertThat(staging.held()).isZero();
  }

  @Test
  void aRingThatGaveItsMemoryBackTakesSomeAgain() {
    Staging staging = staging(Duration.ofDays(1));
    for (int round = 0; round < 3; round++) {
      StagingRing ring = staging.begin(Use.UPLOAD, 0, 10 * MIB);
      StagingSlot slot = ring.take();
      slot.buffer(100).put(99, (byte) round);
      ring.giveBack(slot);
      ring.end();
      assertThat(staging.giveBackIdle(0)).isFalse();
    }
    staging.close();
  }

  /** Again and again: the watch ends when all is given back, and begins with the next transfer. */
  @Test
  void idleMemoryIsGivenBackByItself() {
    Staging staging = staging(Duration.ofMillis(1));
    for (int round = 0; round < 20; round++) {
      staging.begin(Use.UPLOAD, 0, 1000).end();
      while (staging.held() > 0) {
        Thread.onSpinWait();
      }
    }
    staging.close();
  }

  @Test
  void aHostArrayTakesThePlaceOfIdleStaging() {
    SimulatedDriver small =
        SimulatedDriver.builder().preset(Preset.PCIE).devices(2).pinnedLimit(64 * MIB).build();
    try (CuRuntime cuda = CuRuntime.open(small);
        CuArray<Byte> a = cuda.device(0).zeros(DType.INT8, 100 * MIB);
        CuArray<Byte> b = cuda.device(1).zeros(DType.INT8, 100 * MIB)) {
      a.copyTo(b);
      try (HostArray<Byte> all = cuda.device(0).hostArray(DType.INT8, 64 * MIB)) {
        // And the next copy goes through pageable memory, and arrives.
        a.fill((byte) 5);
        a.copyTo(b);
        assertThat(b.get(100 * MIB - 1)).isEqualTo((byte) 5);
        assertThat(all.byteSize()).isEqualTo(64 * MIB);
      }
    }
    assertThat(small.findings()).isEmpty();
  }
}
