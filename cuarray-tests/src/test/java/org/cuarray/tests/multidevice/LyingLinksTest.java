package org.cuarray.tests.multidevice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.cuarray.AllocatorKind;
import org.cuarray.CopyPlan;
import org.cuarray.CopyStrategy;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.DType;
import org.cuarray.LinkState;
import org.cuarray.PeerLink;
import org.cuarray.driver.PointerAttribute;
import org.cuarray.driver.RecordingDriver;
import org.cuarray.driver.RecordingDriver.Call;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Links that report success and deliver nothing are found out, said so, and not used. */
class LyingLinksTest {
  private static final Set<Preset> LIARS =
      EnumSet.of(
          Preset.BROKEN_IOMMU,
          Preset.MIRROR,
          Preset.LOSES_LARGE,
          Preset.BREAKS_AFTER_GROWTH,
          Preset.POOL_GRANT_LOSES_WRITES);

  private RecordingDriver recording;
  private CuRuntime cuda;

  @AfterEach
  void close() {
    cuda.close();
  }

  private void open(Preset preset) {
    recording = new RecordingDriver(SimulatedDriver.of(preset, 2));
    cuda = CuRuntime.open(recording.driver());
  }

  static List<Arguments> liarsAndKindsThatTheyBreak() {
    return LIARS.stream()
        .flatMap(
            liar ->
                Arrays.stream(AllocatorKind.values())
                    .flatMap(
                        source ->
                            destinationsBrokenBy(liar)
                                .map(kind -> Arguments.of(liar, source, kind))))
        .toList();
  }

  private static Stream<AllocatorKind> destinationsBrokenBy(Preset liar) {
    return liar == Preset.POOL_GRANT_LOSES_WRITES
        ? Stream.of(AllocatorKind.STREAM_ORDERED)
        : Arrays.stream(AllocatorKind.values());
  }

  @ParameterizedTest(name = "{0}: {1} to {2}")
  @MethodSource("liarsAndKindsThatTheyBreak")
  void theLinkIsQuarantinedAndThePlanSaysThatItDoesNotDeliver(
      Preset liar, AllocatorKind source, AllocatorKind destination) {
    open(liar);
    CuDevice from = cuda.device(0);
    CuDevice to = cuda.device(1);
    assertThat(cuda.topology().link(from, to).state()).isEqualTo(LinkState.UNTRIED);
    try (CuArray<Integer> a = from.using(source).full(DType.INT32, 7, 1000);
        CuArray<Integer> b = to.using(destination).zeros(DType.INT32, 1000)) {
      CopyPlan plan = a.planCopyTo(b);
      assertThat(plan.strategy()).isEqualTo(CopyStrategy.HOST_STAGED);
      assertThat(plan.reason())
          .contains("does not deliver data", word(source) + " → " + word(destination));
      PeerLink link = cuda.topology().link(from, to);
      assertThat(link.state()).isEqualTo(LinkState.QUARANTINED);
      assertThat(link.reason()).isEqualTo(plan.reason());
      assertThat(cuda.topology().linkByMemory(from, to))
          .isEqualTo(Map.of(word(source) + " → " + word(destination), LinkState.QUARANTINED));
      recording.clear();
      a.copyTo(b);
      assertThat(recording.calls("cuMemcpyPeerAsync")).isEmpty();
      assertThat(b.toArray(DType.INT32)).containsOnly(7);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"BROKEN_IOMMU", "MIRROR", "LOSES_LARGE", "BREAKS_AFTER_GROWTH"})
  void accessThatWasEnabledForAFailedProofIsTakenBack(Preset liar) {
    open(liar);
    try (CuArray<Integer> a = cuda.device(0).full(DType.INT32, 7, 10);
        CuArray<Integer> b = cuda.device(1).zeros(DType.INT32, 10)) {
      a.copyTo(b);
      List<Call> enabled = recording.calls("cuCtxEnablePeerAccess");
      List<Call> disabled = recording.calls("cuCtxDisablePeerAccess");
      assertThat(enabled).hasSize(1);
      assertThat(disabled).hasSize(1);
      assertThat(disabled.get(0).argument(0)).isEqualTo(enabled.get(0).argument(0));
      assertThat(recording.calls("cuMemPoolSetAccess"))
          .as("grants to pools that are in use")
          .noneMatch(call -> grantsPoolOf(b, call));
    }
  }

  private boolean grantsPoolOf(CuArray<?> array, Call call) {
    long[] pool = new long[1];
    assertThat(
            recording
                .driver()
                .pointerGetAttribute(pool, PointerAttribute.MEMPOOL_HANDLE, array.pointer()))
        .isZero();
    return call.argument(0) == pool[0];
  }

  @Test
  void aLinkThatLosesWritesIntoPoolsKeepsCarryingClassicMemory() {
    open(Preset.POOL_GRANT_LOSES_WRITES);
    CuDevice to = cuda.device(1);
    try (CuArray<Integer> a = cuda.device(0).full(DType.INT32, 7, 1000);
        CuArray<Integer> pooled = to.zeros(DType.INT32, 1000);
        CuArray<Integer> classic = to.using(AllocatorKind.CLASSIC).zeros(DType.INT32, 1000)) {
      a.copyTo(pooled);
      recording.clear();
      a.copyTo(classic);
      assertThat(recording.calls("cuMemcpyPeerAsync"))
          .filteredOn(call -> call.argument(0) == classic.pointer())
          .hasSize(1);
      assertThat(a.planCopyTo(classic).strategy()).isEqualTo(CopyStrategy.PEER);
      assertThat(a.planCopyTo(pooled).strategy()).isEqualTo(CopyStrategy.HOST_STAGED);
      assertThat(pooled.toArray(DType.INT32)).containsOnly(7);
      assertThat(classic.toArray(DType.INT32)).containsOnly(7);
      assertThat(cuda.topology().link(cuda.device(0), to).state()).isEqualTo(LinkState.QUARANTINED);
      assertThat(cuda.topology().linkByMemory(cuda.device(0), to))
          .containsEntry("pool → pool", LinkState.QUARANTINED)
          .hasEntrySatisfying(
              "pool → classic", state -> assertThat(state).isIn(LinkState.PROVED, LinkState.SLOW));
    }
  }

  @Test
  void aQuarantineOfOneDirectionSaysNothingOfTheOther() {
    open(Preset.BROKEN_IOMMU);
    try (CuArray<Integer> a = cuda.device(0).full(DType.INT32, 7, 10);
        CuArray<Integer> b = cuda.device(1).zeros(DType.INT32, 10)) {
      a.copyTo(b);
      assertThat(cuda.topology().link(cuda.device(1), cuda.device(0)).state())
          .isEqualTo(LinkState.UNTRIED);
    }
  }

  private static String word(AllocatorKind kind) {
    return kind == AllocatorKind.CLASSIC ? "classic" : "pool";
  }
}
