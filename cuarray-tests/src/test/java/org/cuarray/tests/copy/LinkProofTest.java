package org.cuarray.tests.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.cuarray.tests.conformance.DriverRig.ok;
import static org.cuarray.tests.copy.LinkRig.classic;
import static org.cuarray.tests.copy.LinkRig.pooled;

import java.util.Collections;
import java.util.List;
import org.cuarray.AllocatorKind;
import org.cuarray.CopyPlan;
import org.cuarray.CopyStrategy;
import org.cuarray.CuArray;
import org.cuarray.CuRuntime;
import org.cuarray.DType;
import org.cuarray.LinkState;
import org.cuarray.PeerPolicy;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.RecordingDriver.Call;
import org.cuarray.driver.simulated.Finding;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.multidevice.Threads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When links are proved, how often, for whom, and what becomes of a proof that can't be made. */
class LinkProofTest {
  private LinkRig rig;
  private SimulatedDriver machine;

  private CuRuntime open(Preset preset) {
    machine = SimulatedDriver.of(preset, 2);
    rig = new LinkRig(machine);
    return rig.open();
  }

  @AfterEach
  void close() {
    rig.close();
    assertThat(machine.findings()).extracting(Finding::kind).doesNotContain(Finding.Kind.LEAK);
  }

  @Test
  void openingAndAllocatingProveNothing() {
    CuRuntime cuda = open(Preset.NVLINK);
    try (CuArray<Integer> a = cuda.device(0).zeros(DType.INT32, 10);
        CuArray<Integer> b = cuda.device(1).zeros(DType.INT32, 10)) {
      assertThat(cuda.topology().links())
          .allMatch(link -> link.state() == LinkState.UNTRIED)
          .hasSize(2);
      assertThat(peerCalls()).isEmpty();
      assertThat(a.device()).isNotEqualTo(b.device());
    }
  }

  private List<Call> peerCalls() {
    return rig.recording().calls("cuCtxEnablePeerAccess", "cuMemcpyPeerAsync");
  }

  @Test
  void aLinkIsProvedOnceForEachPairOfKindsOfMemory() {
    CuRuntime cuda = open(Preset.NVLINK);
    try (CuArray<Integer> a = pooled(cuda.device(0)).zeros(DType.INT32, 10);
        CuArray<Integer> b = pooled(cuda.device(1)).zeros(DType.INT32, 10);
        CuArray<Integer> c = classic(cuda.device(1)).zeros(DType.INT32, 10)) {
      a.planCopyTo(b);
      assertThat(peerCalls()).hasSizeGreaterThan(5);
      rig.recording().clear();
      a.planCopyTo(b);
      assertThat(peerCalls()).isEmpty();
      a.planCopyTo(c);
      assertThat(peerCalls()).hasSizeGreaterThan(5);
      assertThat(cuda.topology().linkByMemory(cuda.device(0), cuda.device(1)))
          .containsOnlyKeys("pool → pool", "pool → classic");
    }
  }

  @Test
  void threadsThatNeedALinkAtOnceShareOneProof() {
    CuRuntime cuda = open(Preset.NVLINK);
    try (CuArray<Integer> a = cuda.device(0).full(DType.INT32, 7, 10L);
        CuArray<Integer> b = cuda.device(1).zeros(DType.INT32, 10)) {
      Threads.runTogether(Collections.nCopies(6, () -> a.copyTo(b)));
      assertThat(rig.recording().calls("cuCtxEnablePeerAccess")).hasSize(1);
      assertThat(b.toArray(DType.INT32)).containsOnly(7);
    }
  }

  @Test
  void twoRuntimesShareTheProofs() {
    CuRuntime cuda = open(Preset.NVLINK);
    rig.copy(cuda.device(0), cuda.device(1));
    CuRuntime other = rig.open();
    assertThat(other.topology().link(other.device(0), other.device(1)).state())
        .isIn(LinkState.PROVED, LinkState.SLOW);
    try (CuArray<Integer> a = other.device(0).full(DType.INT32, 7, 10L);
        CuArray<Integer> b = other.device(1).zeros(DType.INT32, 10)) {
      rig.recording().clear();
      assertThat(a.planCopyTo(b).strategy()).isEqualTo(CopyStrategy.PEER);
      assertThat(peerCalls()).isEmpty();
    }
  }

  @Test
  void twoRuntimesShareTheQuarantines() {
    CuRuntime cuda = open(Preset.BROKEN_IOMMU);
    CopyPlan found = rig.copy(cuda.device(0), cuda.device(1));
    CuRuntime other = rig.open();
    rig.recording().clear();
    CopyPlan known = rig.copy(other.device(0), other.device(1));
    assertThat(known.strategy()).isEqualTo(CopyStrategy.HOST_STAGED);
    assertThat(known.reason()).isEqualTo(found.reason());
    assertThat(rig.recording().calls("cuCtxEnablePeerAccess")).isEmpty();
  }

  @Test
  void aLinkOutlivesTheRuntimeThatProvedIt() {
    CuRuntime cuda = open(Preset.NVLINK);
    rig.copy(cuda.device(0), cuda.device(1));
    cuda.close();
    CuRuntime next = rig.open();
    rig.recording().clear();
    assertThat(rig.copy(next.device(0), next.device(1)).strategy()).isEqualTo(CopyStrategy.PEER);
    assertThat(rig.recording().calls("cuCtxEnablePeerAccess", "cuCtxDisablePeerAccess")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cuMemAlloc",
        "cuStreamCreateWithPriority",
        "cuEventCreate",
        "cuMemcpyHtoDAsync",
        "cuMemcpyDtoHAsync",
        "cuMemcpyPeerAsync"
      })
  void aProofThatCannotBeMadeNowIsMadeLater(String call) {
    CuRuntime cuda = open(Preset.NVLINK);
    try (CuArray<Integer> a = classic(cuda.device(0)).full(DType.INT32, 7, 10L);
        CuArray<Integer> b = classic(cuda.device(1)).zeros(DType.INT32, 10)) {
      a.synchronize();
      b.synchronize();
      machine.failFromNow(call, 1, CudaError.OUT_OF_MEMORY);
      CopyPlan plan = a.planCopyTo(b);
      assertThat(plan.strategy()).isEqualTo(CopyStrategy.HOST_STAGED);
      assertThat(plan.reason()).contains("the link could not be tried", "OUT_OF_MEMORY");
      assertThat(cuda.topology().link(cuda.device(0), cuda.device(1)).state())
          .isEqualTo(LinkState.UNTRIED);
      a.copyTo(b);
      assertThat(b.toArray(DType.INT32)).containsOnly(7);
    }
    CuRuntime later = rig.open();
    assertThat(rig.copy(classic(later.device(0)), classic(later.device(1))).strategy())
        .isEqualTo(CopyStrategy.PEER);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void aProofThatFailsMidwayFreesNothingUnderItsCopies(long seed) {
    machine = SimulatedDriver.builder().preset(Preset.NVLINK).devices(2).seed(seed).build();
    rig = new LinkRig(machine);
    CuRuntime cuda = rig.open();
    for (AllocatorKind kind : AllocatorKind.values()) {
      try (CuArray<Integer> a = cuda.device(0).using(kind).zeros(DType.INT32, 10);
          CuArray<Integer> b = cuda.device(1).using(kind).zeros(DType.INT32, 10)) {
        cuda.synchronize();
        machine.failFromNow("cuEventRecord", 2, CudaError.INVALID_VALUE);
        assertThat(a.planCopyTo(b).strategy()).isEqualTo(CopyStrategy.HOST_STAGED);
      }
    }
    cuda.close(); // which waits until the classic memory is freed
    assertThat(machine.findings()).isEmpty();
  }

  @Test
  void aDeviceTooFullForAProofIsStagedTo() {
    machine = SimulatedDriver.builder().devices(2).memoryPerDevice(48 << 20).build();
    rig = new LinkRig(machine);
    CuRuntime cuda = rig.open();
    try (CuArray<Byte> fill = cuda.device(1).zeros(DType.INT8, 20 << 20)) {
      CopyPlan plan = rig.copy(cuda.device(0), cuda.device(1));
      assertThat(plan.strategy()).isEqualTo(CopyStrategy.HOST_STAGED);
      assertThat(plan.reason()).contains("could not be tried");
      assertThat(fill.isClosed()).isFalse();
    }
  }

  @Test
  void aProofLeavesTheThreadsOwnContextCurrent() {
    CuRuntime cuda = open(Preset.BROKEN_IOMMU);
    long own = cuda.registry().contextOf(cuda.device(1));
    try (CuArray<Integer> a = cuda.device(0).zeros(DType.INT32, 10);
        CuArray<Integer> b = cuda.device(1).zeros(DType.INT32, 10)) {
      for (long context : new long[] {0, own}) {
        ok(rig.driver().ctxSetCurrent(context));
        a.planCopyTo(b);
        b.planCopyTo(a);
        long[] current = new long[1];
        ok(rig.driver().ctxGetCurrent(current));
        assertThat(current[0]).isEqualTo(context);
      }
    } finally {
      ok(rig.driver().ctxSetCurrent(0));
    }
  }

  @Test
  void aForcedPeerCopyIsRefusedWhereTheLinkHasNotProvedItself() {
    machine = SimulatedDriver.of(Preset.MIRROR, 2);
    rig = new LinkRig(machine);
    CuRuntime cuda = rig.open(CuRuntime.builder().peerPolicy(PeerPolicy.FORCE_PEER));
    try (CuArray<Integer> a = cuda.device(0).full(DType.INT32, 7, 10L);
        CuArray<Integer> b = cuda.device(1).zeros(DType.INT32, 10)) {
      assertThatIllegalStateException()
          .isThrownBy(() -> a.copyTo(b))
          .withMessageContaining("peer copies are forced")
          .withMessageContaining("does not deliver data");
      assertThat(b.toArray(DType.INT32)).containsOnly(0);
    }
  }

  @Test
  void forcedStagingTriesNoLink() {
    machine = SimulatedDriver.of(Preset.NVLINK, 2);
    rig = new LinkRig(machine);
    CuRuntime cuda = rig.open(CuRuntime.builder().peerPolicy(PeerPolicy.FORCE_HOST_STAGED));
    CopyPlan plan = rig.copy(cuda.device(0), cuda.device(1));
    assertThat(plan.strategy()).isEqualTo(CopyStrategy.HOST_STAGED);
    assertThat(plan.reason()).contains("forced through the host");
    assertThat(peerCalls()).isEmpty();
  }
}
