package org.cuarray.tests.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.tests.conformance.DriverRig.ok;
import static org.cuarray.tests.copy.LinkRig.classic;
import static org.cuarray.tests.copy.LinkRig.pooled;

import java.util.List;
import org.cuarray.CopyPlan;
import org.cuarray.CopyStrategy;
import org.cuarray.CuArray;
import org.cuarray.CuRuntime;
import org.cuarray.DType;
import org.cuarray.LinkState;
import org.cuarray.PeerPolicy;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.RecordingDriver.Call;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Peer access between contexts: refused, taken already, somebody else's, and one too many. */
class PeerAccessTest {
  private LinkRig rig;

  private CuRuntime open(SimulatedDriver machine) {
    rig = new LinkRig(machine);
    return rig.open();
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {CudaError.INVALID_VALUE, CudaError.PEER_ACCESS_UNSUPPORTED})
  void whereEnablingIsRefusedCopiesAreStagedAndThePlanSaysSo(int code) {
    CuRuntime cuda =
        open(SimulatedDriver.builder().devices(2).fail("cuCtxEnablePeerAccess", 1, code).build());
    CopyPlan plan = rig.copy(cuda.device(0), cuda.device(1));
    assertThat(plan.strategy()).isEqualTo(CopyStrategy.HOST_STAGED);
    assertThat(plan.reason()).contains("capable", "refused to enable peer access");
    assertThat(cuda.topology().link(cuda.device(0), cuda.device(1)).state())
        .isEqualTo(LinkState.REFUSED);
    rig.copy(cuda.device(0), cuda.device(1));
    assertThat(rig.recording().calls("cuCtxEnablePeerAccess")).isEmpty();
  }

  @Test
  void theOtherDirectionMayWorkWhereOneIsRefused() {
    CuRuntime cuda =
        open(
            SimulatedDriver.builder()
                .devices(2)
                .fail("cuCtxEnablePeerAccess", 1, CudaError.INVALID_VALUE)
                .build());
    rig.copy(cuda.device(0), cuda.device(1));
    assertThat(rig.copy(cuda.device(1), cuda.device(0)).strategy()).isEqualTo(CopyStrategy.PEER);
  }

  /** As an application, or another library of the process, does. */
  private void enableAsOthersDo(CuRuntime cuda, int device, int peer) {
    long peerContext = cuda.registry().contextOf(cuda.device(peer));
    ok(rig.driver().ctxSetCurrent(cuda.registry().contextOf(cuda.device(device))));
    ok(rig.driver().ctxEnablePeerAccess(peerContext, 0));
    ok(rig.driver().ctxSetCurrent(0));
  }

  private void disableAsOthersDo(CuRuntime cuda, int device, int peer) {
    long peerContext = cuda.registry().contextOf(cuda.device(peer));
    ok(rig.driver().ctxSetCurrent(cuda.registry().contextOf(cuda.device(device))));
    ok(rig.driver().ctxDisablePeerAccess(peerContext));
    ok(rig.driver().ctxSetCurrent(0));
  }

  @Test
  void accessThatSomebodyElseEnabledIsUsed() {
    CuRuntime cuda = open(SimulatedDriver.of(Preset.NVLINK, 2));
    enableAsOthersDo(cuda, 0, 1);
    assertThat(rig.copy(classic(cuda.device(0)), classic(cuda.device(1))).strategy())
        .isEqualTo(CopyStrategy.PEER);
    cuda.close();
    assertThat(rig.recording().calls("cuCtxDisablePeerAccess")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"BROKEN_IOMMU", "MIRROR", "LOSES_LARGE"})
  void accessThatSomebodyElseEnabledIsNeverDisabledByAFailedProof(String liar) {
    CuRuntime cuda = open(SimulatedDriver.of(Preset.valueOf(liar), 2));
    enableAsOthersDo(cuda, 0, 1);
    rig.recording().clear();
    try (CuArray<Integer> a = classic(cuda.device(0)).full(DType.INT32, 1, 10L);
        CuArray<Integer> b = classic(cuda.device(1)).zeros(DType.INT32, 10)) {
      assertThat(a.planCopyTo(b).strategy()).isEqualTo(CopyStrategy.HOST_STAGED);
    }
    cuda.close();
    assertThat(rig.recording().calls("cuCtxEnablePeerAccess"))
        .extracting(Call::status)
        .containsExactly(CudaError.PEER_ACCESS_ALREADY_ENABLED);
    assertThat(rig.recording().calls("cuCtxDisablePeerAccess")).isEmpty();
  }

  @Test
  void whereTheDeviceHasNoSlotLeftCopiesAreStagedUntilThereIsOne() {
    CuRuntime cuda = open(SimulatedDriver.builder().devices(3).peerLimit(1).build());
    enableAsOthersDo(cuda, 0, 1);
    CopyPlan plan = rig.copy(classic(cuda.device(0)), classic(cuda.device(2)));
    assertThat(plan.strategy()).isEqualTo(CopyStrategy.HOST_STAGED);
    assertThat(plan.reason()).contains("cuda:0 has as many peers as the driver allows");
    assertThat(cuda.topology().link(cuda.device(0), cuda.device(2)).state())
        .isEqualTo(LinkState.TOO_MANY_PEERS);
    disableAsOthersDo(cuda, 0, 1);
    // The other kinds of memory ask at once, and so does another runtime.
    assertThat(rig.copy(pooled(cuda.device(0)), pooled(cuda.device(2))).strategy())
        .isEqualTo(CopyStrategy.PEER);
    CuRuntime other = rig.open();
    assertThat(rig.copy(classic(other.device(0)), classic(other.device(2))).strategy())
        .isEqualTo(CopyStrategy.PEER);
    assertThat(cuda.topology().link(cuda.device(0), cuda.device(2)).state())
        .isIn(LinkState.PROVED, LinkState.SLOW);
  }

  @Test
  void withPeersOffNothingIsEnabledGrantedOrTried() {
    rig = new LinkRig(SimulatedDriver.of(Preset.NVLINK, 2));
    CuRuntime cuda = rig.open(CuRuntime.builder().peerPolicy(PeerPolicy.OFF));
    CopyPlan plan = rig.copy(cuda.device(0), cuda.device(1));
    assertThat(plan.reason()).contains("turned off by the runtime's peer policy");
    assertThat(cuda.topology().link(cuda.device(0), cuda.device(1)).state())
        .isEqualTo(LinkState.OFF);
    List<Call> calls =
        rig.recording().calls("cuCtxEnablePeerAccess", "cuMemPoolSetAccess", "cuMemcpyPeerAsync");
    assertThat(calls).isEmpty();
  }

  @Test
  void whereOnlyOneDirectionIsCapableNeitherIsUsedAndTheReasonSaysWhy() {
    CuRuntime cuda = open(SimulatedDriver.of(Preset.ONE_WAY));
    assertThat(cuda.device(0).canAccessPeer(cuda.device(1))).isTrue();
    assertThat(cuda.device(1).canAccessPeer(cuda.device(0))).isFalse();
    for (int from = 0; from < 2; from++) {
      CopyPlan plan = rig.copy(cuda.device(from), cuda.device(1 - from));
      assertThat(plan.strategy()).isEqualTo(CopyStrategy.HOST_STAGED);
      assertThat(plan.reason()).contains("one-way access only: cuda:0 reaches cuda:1");
      assertThat(cuda.topology().link(cuda.device(from), cuda.device(1 - from)).state())
          .isEqualTo(LinkState.NOT_CAPABLE);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"PCIE", "MIG"})
  void whereNoPairIsCapableNothingIsTriedAndTheReasonSaysWhy(String preset) {
    CuRuntime cuda = open(SimulatedDriver.of(Preset.valueOf(preset), 2));
    CopyPlan plan = rig.copy(cuda.device(0), cuda.device(1));
    assertThat(plan.strategy()).isEqualTo(CopyStrategy.HOST_STAGED);
    assertThat(plan.reason()).contains("cuda:0 can't access cuda:1");
    assertThat(rig.recording().calls("cuCtxEnablePeerAccess")).isEmpty();
  }
}
