package org.cuarray.tests.multidevice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.cuarray.AllocatorKind;
import org.cuarray.CopyPlan;
import org.cuarray.CopyStrategy;
import org.cuarray.CuArray;
import org.cuarray.CuRuntime;
import org.cuarray.DType;
import org.cuarray.LinkState;
import org.cuarray.VerifyMode;
import org.cuarray.driver.RecordingDriver;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A link that proves itself and goes bad later is caught in verify mode, before anyone reads. */
class FlippingLinkTest {
  /** More than the proofs of all kinds of memory take. */
  private static final int RIGHT_COPIES = 80;

  private final SimulatedDriver machine =
      SimulatedDriver.builder()
          .preset(Preset.FLIPS_LATER)
          .devices(2)
          .flipsAfter(RIGHT_COPIES)
          .build();
  private final RecordingDriver recording = new RecordingDriver(machine);

  private CuRuntime open(VerifyMode mode) {
    return CuRuntime.builder().driver(recording.driver()).verify(mode).open();
  }

  @Test
  void withoutVerifyModeWrongBytesAreReadSoThatThisTestCanFail() {
    try (CuRuntime cuda = open(VerifyMode.OFF);
        CuArray<Integer> a = cuda.device(0).full(DType.INT32, 7, 100);
        CuArray<Integer> b = cuda.device(1).zeros(DType.INT32, 100)) {
      for (int i = 0; i <= RIGHT_COPIES; i++) {
        a.copyTo(b);
      }
      assertThat(b.toArray(DType.INT32)).contains(7).containsAnyOf(6, 7 ^ 1 << 8, 7 ^ 1 << 24);
    }
  }

  @ParameterizedTest(name = "{0} bytes")
  @ValueSource(ints = {1, 4099, (5 << 20) + 3, (9 << 20) + 1})
  void inVerifyModeEveryCopyOfEveryKindIsRight(int bytes) {
    List<CopyStrategy> strategies = new ArrayList<>();
    try (CuRuntime cuda = open(VerifyMode.EVERY_COPY)) {
      for (AllocatorKind from : AllocatorKind.values()) {
        for (AllocatorKind to : AllocatorKind.values()) {
          try (CuArray<Byte> a = cuda.device(0).using(from).empty(DType.INT8, bytes);
              CuArray<Byte> b = cuda.device(1).using(to).empty(DType.INT8, bytes)) {
            for (int i = 0; i < RIGHT_COPIES / 2; i++) {
              a.fill((Byte) (byte) i);
              strategies.add(a.planCopyTo(b).strategy());
              a.copyTo(b);
              assertThat(b.get(bytes - 1)).isEqualTo((byte) i);
            }
            assertThat(b.toArray(DType.INT8)).containsOnly(RIGHT_COPIES / 2 - 1);
          }
        }
      }
      assertThat(cuda.topology().link(cuda.device(0), cuda.device(1)).state())
          .isEqualTo(LinkState.QUARANTINED);
    }
    assertThat(strategies)
        .startsWith(CopyStrategy.PEER)
        .endsWith(CopyStrategy.HOST_STAGED)
        .doesNotContain(CopyStrategy.SAME_DEVICE);
    assertThat(machine.findings()).isEmpty();
  }

  @Test
  void onceFoundOutTheLinkIsQuarantinedAndThePlanSaysHowItWasFound() {
    try (CuRuntime cuda = open(VerifyMode.EVERY_COPY);
        CuArray<Integer> a = cuda.device(0).full(DType.INT32, 7, 100);
        CuArray<Integer> b = cuda.device(1).zeros(DType.INT32, 100)) {
      assertThat(a.planCopyTo(b).strategy()).isEqualTo(CopyStrategy.PEER);
      for (int i = 0; i <= RIGHT_COPIES; i++) {
        a.copyTo(b);
      }
      CopyPlan plan = a.planCopyTo(b);
      assertThat(plan.strategy()).isEqualTo(CopyStrategy.HOST_STAGED);
      assertThat(plan.reason()).contains("verify mode", "of 400 wrong");
      assertThat(cuda.topology().link(cuda.device(0), cuda.device(1)).reason())
          .isEqualTo(plan.reason());
      recording.clear();
      a.copyTo(b);
      assertThat(recording.calls("cuMemcpyPeerAsync")).isEmpty();
      assertThat(b.toArray(DType.INT32)).containsOnly(7);
    }
  }

  @Test
  void aQuarantineFoundByOneRuntimeHoldsForTheOther() {
    try (CuRuntime checking = open(VerifyMode.EVERY_COPY);
        CuRuntime trusting = open(VerifyMode.OFF);
        CuArray<Integer> a = checking.device(0).full(DType.INT32, 7, 100);
        CuArray<Integer> b = checking.device(1).zeros(DType.INT32, 100);
        CuArray<Integer> c = trusting.device(0).full(DType.INT32, 8, 100);
        CuArray<Integer> d = trusting.device(1).zeros(DType.INT32, 100)) {
      assertThat(c.planCopyTo(d).strategy()).isEqualTo(CopyStrategy.PEER);
      for (int i = 0; i <= RIGHT_COPIES; i++) {
        a.copyTo(b);
      }
      assertThat(c.planCopyTo(d).strategy()).isEqualTo(CopyStrategy.HOST_STAGED);
      c.copyTo(d);
      assertThat(d.toArray(DType.INT32)).containsOnly(8);
    }
  }

  @Test
  void threadsThatCopyWhileTheLinkGoesBadReadNoWrongByte() {
    try (CuRuntime cuda = open(VerifyMode.EVERY_COPY);
        CuArray<Integer> a = cuda.device(0).full(DType.INT32, 7, 5000);
        CuArray<Integer> b = cuda.device(1).full(DType.INT32, 7, 5000);
        CuArray<Integer> c = cuda.device(1).full(DType.INT32, 7, 5000)) {
      Runnable copying =
          () -> {
            for (int i = 0; i < RIGHT_COPIES / 2; i++) {
              a.copyTo(b);
              assertThat(b.toArray(DType.INT32)).containsOnly(7);
              a.copyTo(c);
              assertThat(c.toArray(DType.INT32)).containsOnly(7);
            }
          };
      Threads.runTogether(List.of(copying, copying, copying));
      assertThat(a.planCopyTo(b).strategy()).isEqualTo(CopyStrategy.HOST_STAGED);
    }
  }
}
