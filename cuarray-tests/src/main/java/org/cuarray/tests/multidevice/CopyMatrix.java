package org.cuarray.tests.multidevice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.cuarray.AllocatorKind;
import org.cuarray.CopyStrategy;
import org.cuarray.CuArray;
import org.cuarray.CuRuntime;
import org.cuarray.CuScope;
import org.cuarray.DType;
import org.cuarray.PeerPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Classic and pool memory on either side, every ordered pair of devices, nothing to gigabytes, peer
 * links on and off: right bytes every time, and the strategy by the driver calls that were made.
 */
abstract class CopyMatrix extends MultiDeviceTests {
  private static final byte BEFORE = 0x5A;
  private static final int GUARD = 67;

  static Stream<Arguments> sizesAndPolicies() {
    return LongStream.of(1, 3, 4097, (1 << 20) + 7, 1L << 30, 5L << 30)
        .boxed()
        .flatMap(
            bytes ->
                Stream.of(PeerPolicy.AUTO, PeerPolicy.OFF, PeerPolicy.FORCE_HOST_STAGED)
                    .map(policy -> Arguments.of(bytes, policy)));
  }

  @ParameterizedTest(name = "{0} bytes, peers {1}")
  @MethodSource("sizesAndPolicies")
  void everyPairAndKindCopiesRightBytesByTheExpectedCalls(long bytes, PeerPolicy policy) {
    Contents contents = rig.machine().contents(bytes, bytes);
    forEachCase(
        bytes,
        policy,
        (source, destination) -> {
          String what = source.allocator() + " → " + destination.allocator() + ", " + destination;
          contents.writeTo(source);
          destination.fill((Byte) BEFORE);
          rig.copyAsExpected(source, destination, policy);
          contents.verify(destination, rig.window(policy), what);
        });
  }

  @ParameterizedTest(name = "peers {0}")
  @EnumSource(names = {"AUTO", "OFF"})
  void copiesOfNothingMakeNoDriverCall(PeerPolicy policy) {
    forEachCase(
        0,
        policy,
        (source, destination) -> {
          rig.recording().clear();
          CopyStrategy planned = source.planCopyTo(destination).strategy();
          source.copyTo(destination);
          assertThat(CopyCalls.besidesTidying(rig.recording().calls())).isEmpty();
          assertThat(planned).isEqualTo(strategyForNothing(source, destination));
          assertThat(destination.toArray(DType.INT8)).isEmpty();
        });
  }

  private static CopyStrategy strategyForNothing(CuArray<?> source, CuArray<?> destination) {
    return source.device().equals(destination.device())
        ? CopyStrategy.SAME_DEVICE
        : CopyStrategy.HOST_STAGED;
  }

  @ParameterizedTest(name = "peers {0}")
  @EnumSource(names = {"AUTO", "OFF", "FORCE_HOST_STAGED"})
  void aCopyIntoASliceLeavesItsNeighboursAlone(PeerPolicy policy) {
    int inner = 4099;
    forEachCase(
        inner + 2 * GUARD,
        policy,
        (source, destination) -> {
          Contents.random(source.size(), 11).writeTo(source);
          destination.fill((Byte) BEFORE);
          try (CuArray<Byte> from = source.slice(1, 1 + inner);
              CuArray<Byte> to = destination.slice(GUARD, GUARD + inner)) {
            rig.copyAsExpected(from, to, policy);
          }
          byte[] expected = new byte[inner + 2 * GUARD];
          Arrays.fill(expected, BEFORE);
          System.arraycopy(source.toArray(DType.INT8), 1, expected, GUARD, inner);
          assertThat(destination.toArray(DType.INT8)).isEqualTo(expected);
        });
  }

  @Test
  void aPlanStaysWhatItWasAfterTheCopy() {
    forEachCase(
        64,
        PeerPolicy.AUTO,
        (source, destination) -> {
          CopyStrategy before = source.planCopyTo(destination).strategy();
          source.copyTo(destination);
          assertThat(source.planCopyTo(destination).strategy()).isEqualTo(before);
        });
  }

  @Test
  void planningCopiesNothing() {
    forEachCase(
        4096,
        PeerPolicy.AUTO,
        (source, destination) -> {
          source.fill((Byte) (byte) 1);
          destination.fill((Byte) (byte) 2);
          assertThat(source.planCopyTo(destination).bytes()).isEqualTo(4096);
          assertThat(destination.toArray(DType.INT8)).containsOnly(2);
        });
  }

  /** Without links, copies between devices are staged already; forced, those within one are. */
  private List<DevicePair> pairs(CuRuntime runtime, long bytes, PeerPolicy policy) {
    return rig.machine().pairs(runtime.devices(), bytes).stream()
        .filter(pair -> policy != PeerPolicy.FORCE_HOST_STAGED || !pair.crosses())
        .toList();
  }

  /** One copy. */
  private interface Case {
    void run(CuArray<Byte> source, CuArray<Byte> destination);
  }

  private void forEachCase(long bytes, PeerPolicy policy, Case test) {
    CuRuntime runtime = rig.cuda(policy);
    for (DevicePair pair : pairs(runtime, bytes, policy)) {
      for (AllocatorKind from : MultiDeviceRig.kinds(pair.from())) {
        for (AllocatorKind to : MultiDeviceRig.kinds(pair.to())) {
          if (rig.machine().tries(from, to, bytes)) {
            try (CuScope arrays = runtime.scope()) {
              test.run(
                  arrays.keep(pair.from().using(from).empty(DType.INT8, bytes)),
                  arrays.keep(pair.to().using(to).empty(DType.INT8, bytes)));
            }
          }
        }
      }
    }
  }
}
