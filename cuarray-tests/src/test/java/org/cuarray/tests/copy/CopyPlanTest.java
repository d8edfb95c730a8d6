package org.cuarray.tests.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.cuarray.tests.conformance.DriverRig.ok;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.cuarray.AllocatorKind;
import org.cuarray.CopyPlan;
import org.cuarray.CopyStrategy;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.CuTopology;
import org.cuarray.DType;
import org.cuarray.LinkState;
import org.cuarray.PeerLink;
import org.cuarray.PeerPolicy;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans and links, in words that people read. */
class CopyPlanTest {
  private final SimulatedDriver machine = SimulatedDriver.of(Preset.MIXED);
  private final LinkRig rig = new LinkRig(machine);
  private final CuRuntime cuda = rig.open();
  private final CuDevice gpu0 = cuda.device(0);
  private final CuDevice gpu1 = cuda.device(1);
  private final CuTopology topology = cuda.topology();

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void aPlanSaysFromWhereToWhereHowMuchHowAndWhy() {
    CopyPlan plan = rig.copy(gpu0, gpu1);
    assertThat(plan.strategy()).isEqualTo(CopyStrategy.PEER);
    assertThat(plan.bytes()).isEqualTo(4000);
    assertThat(plan.source()).isEqualTo(gpu0);
    assertThat(plan.destination()).isEqualTo(gpu1);
    assertThat(plan)
        .asString()
        .contains("cuda:0 → cuda:1", "4000 bytes", "PEER", "proved (pool → pool)");
    assertThat(rig.copy(gpu0, gpu0))
        .asString()
        .contains("cuda:0 → cuda:0", "SAME_DEVICE", "both arrays are on cuda:0");
    assertThat(rig.copy(gpu0, cuda.device(2)))
        .asString()
        .contains("HOST_STAGED", "the driver reports that cuda:0 can't access cuda:2");
  }

  @Test
  void aPlanCountsBytesPastTwoToTheThirtyTwo() {
    try (CuArray<Long> a = gpu0.empty(DType.INT64, 1L << 30);
        CuArray<Long> b = gpu1.empty(DType.INT64, 1L << 30)) {
      assertThat(a.planCopyTo(b).bytes()).isEqualTo(8L << 30);
    }
  }

  @Test
  void aPlanForAForcedStagingOfOverlappingSlicesIsWhatTheCopyDoes() {
    CuRuntime forced = rig.open(CuRuntime.builder().peerPolicy(PeerPolicy.FORCE_HOST_STAGED));
    try (CuArray<Byte> array = forced.device(0).zeros(DType.INT8, 100)) {
      CuArray<Byte> from = array.slice(0, 50);
      CuArray<Byte> to = array.slice(10, 60);
      CopyPlan plan = from.planCopyTo(to);
      rig.recording().clear();
      from.copyTo(to);
      boolean staged = !rig.recording().calls("cuMemcpyDtoHAsync").isEmpty();
      assertThat(plan.strategy())
          .isEqualTo(staged ? CopyStrategy.HOST_STAGED : CopyStrategy.SAME_DEVICE);
    }
  }

  /** In chunks, so that a piece written too early would be read by a later one. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4096, 65_537, 1_000_000})
  void overlappingSlicesForcedThroughTheHostGiveWhatMemmoveGives(int shift) {
    CuRuntime forced =
        rig.open(CuRuntime.builder().peerPolicy(PeerPolicy.FORCE_HOST_STAGED).staging(64 << 10, 3));
    int size = 3 << 20;
    byte[] contents = new byte[size];
    new SplittableRandom(shift).nextBytes(contents);
    try (CuArray<Byte> array = forced.device(0).array(DType.INT8, contents)) {
      array.slice(0, size - shift).copyTo(array.slice(shift, size));
      System.arraycopy(contents, 0, contents, shift, size - shift);
      assertThat(Arrays.mismatch(array.toArray(DType.INT8), contents)).isNegative();
      array.slice(shift, size).copyTo(array.slice(0, size - shift));
      System.arraycopy(contents, shift, contents, 0, size - shift);
      assertThat(Arrays.mismatch(array.toArray(DType.INT8), contents)).isNegative();
    }
  }

  @Test
  void askingForLinksTriesNothingAndCreatesNoContext() {
    assertThat(topology.links())
        .hasSize(12)
        .extracting(PeerLink::state)
        .containsOnly(LinkState.UNTRIED, LinkState.NOT_CAPABLE);
    assertThat(topology.link(gpu0, gpu1).state()).isEqualTo(LinkState.UNTRIED);
    assertThat(topology.linkByMemory(gpu0, gpu1)).isEmpty();
    assertThat(topology.link(gpu0, cuda.device(3)).state()).isEqualTo(LinkState.NOT_CAPABLE);
    int[] active = new int[1];
    for (int device = 0; device < 4; device++) {
      ok(machine.devicePrimaryCtxGetState(device, new int[1], active));
      assertThat(active[0]).as("context of device %d", device).isZero();
    }
  }

  @Test
  void aLinkThatWasTriedSaysWhatWasFoundAndSinceWhen() {
    rig.copy(gpu0, gpu1);
    rig.copy(gpu0.using(AllocatorKind.CLASSIC), gpu1);
    PeerLink link = topology.link(gpu0, gpu1);
    assertThat(link.from()).isEqualTo(gpu0);
    assertThat(link.to()).isEqualTo(gpu1);
    assertThat(link.state()).isIn(LinkState.PROVED, LinkState.SLOW);
    assertThat(link.reason()).contains("pool → pool", "classic → pool");
    assertThat(link.since()).isNotNull();
    assertThat(link).asString().contains("cuda:0 → cuda:1: ");
    assertThat(topology.linkByMemory(gpu0, gpu1)).containsOnlyKeys("pool → pool", "classic → pool");
    assertThat(topology.link(gpu1, gpu0).state()).isEqualTo(LinkState.UNTRIED);
  }

  @Test
  void aLinkJoinsTwoDevices() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> topology.link(gpu0, gpu0))
        .withMessageContaining("both are cuda:0");
  }

  @Test
  void linksAreBetweenDevicesOfThisRuntime() {
    CuRuntime other = rig.open();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> topology.link(other.device(0), gpu1))
        .withMessageContaining("another runtime");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> topology.link(other.device(0), gpu0))
        .withMessageContaining("another runtime");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> topology.linkByMemory(gpu0, other.device(1)))
        .withMessageContaining("another runtime");
  }
}
