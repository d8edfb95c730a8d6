package org.cuarray.tests.multidevice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.cuarray.AllocatorKind;
import org.cuarray.CopyPlan;
import org.cuarray.CopyStrategy;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.DType;
import org.cuarray.LinkState;
import org.cuarray.driver.RecordingDriver;
import org.cuarray.driver.RecordingDriver.Call;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** On sixteen GPUs with eight peer slots each, eight links are used and the rest is staged. */
class PeerBudgetTest {

  @ParameterizedTest
  @EnumSource
  void oneDeviceUsesEightPeersAndStagesToTheRest(AllocatorKind kind) {
    RecordingDriver recording = new RecordingDriver(SimulatedDriver.of(Preset.SIXTEEN));
    try (CuRuntime cuda = CuRuntime.open(recording.driver());
        CuArray<Integer> source = cuda.device(0).using(kind).full(DType.INT32, 7, 1000)) {
      List<CuDevice> peers = new ArrayList<>();
      List<CuDevice> staged = new ArrayList<>();
      for (CuDevice other : cuda.devices().subList(1, 16)) {
        try (CuArray<Integer> there = other.using(kind).zeros(DType.INT32, 1000)) {
          CopyPlan plan = source.planCopyTo(there);
          recording.clear();
          source.copyTo(there);
          boolean peer = plan.strategy() == CopyStrategy.PEER;
          (peer ? peers : staged).add(other);
          assertThat(recording.calls("cuMemcpyPeerAsync")).hasSize(peer ? 1 : 0);
          assertThat(recording.calls("cuMemcpyDtoHAsync")).hasSize(peer ? 0 : 1);
          if (!peer) {
            assertThat(plan.reason()).contains("as many peers as the driver allows");
          }
          assertThat(there.toArray(DType.INT32)).containsOnly(7);
        }
      }
      assertThat(peers).isEqualTo(cuda.devices().subList(1, 9));
      assertThat(staged).isEqualTo(cuda.devices().subList(9, 16));
      assertThat(staged)
          .allMatch(
              device ->
                  cuda.topology().link(cuda.device(0), device).state() == LinkState.TOO_MANY_PEERS);
      assertThat(recording.calls("cuCtxDisablePeerAccess")).extracting(Call::name).isEmpty();
    }
  }
}
