package org.cuarray.tests.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.DType.INT32;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.cuarray.AllocatorKind;
import org.cuarray.CopyStrategy;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.LinkState;
import org.cuarray.VerifyMode;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.InterceptedDriver;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.multidevice.Threads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What happens while a copy is compared, and while one is on its way that was planned before. */
@Timeout(60)
class VerifiedCopyTest {
  private static final int LENGTH = 100;

  /** More than the proof of one link between memory of one kind takes. */
  private static final int RIGHT_COPIES = 40;

  private final SimulatedDriver machine =
      SimulatedDriver.builder()
          .preset(Preset.FLIPS_LATER)
          .devices(2)
          .flipsAfter(RIGHT_COPIES)
          .build();
  private final AtomicReference<Runnable> meanwhile = new AtomicReference<>();
  private final AtomicInteger peerCopies = new AtomicInteger();
  private String call = "";
  private final CudaDriver driver =
      InterceptedDriver.around(
          machine,
          (name, arguments, proceed) -> {
            if (name.equals("cuMemcpyPeerAsync")) {
              peerCopies.incrementAndGet();
            }
            Runnable other = name.equals(call) ? meanwhile.getAndSet(null) : null;
            if (other != null) {
              other.run();
            }
            return proceed.call();
          });

  private CuRuntime open(VerifyMode mode) {
    return CuRuntime.builder().driver(driver).verify(mode).open();
  }

  private static CuArray<Integer> classic(CuDevice device, int value) {
    return device.using(AllocatorKind.CLASSIC).full(INT32, value, LENGTH);
  }

  private void atFirst(String driverCall, Runnable other) {
    call = driverCall;
    meanwhile.set(other);
  }

  @AfterEach
  void nothingWasMisusedOrLeaked() {
    assertThat(meanwhile).as("what was to happen meanwhile").hasNullValue();
    assertThat(machine.findings()).isEmpty();
  }

  @Test
  void theSourceStaysAsItIsUntilItWasCompared() throws Exception {
    try (CuRuntime cuda = open(VerifyMode.EVERY_COPY);
        CuArray<Integer> source = classic(cuda.device(0), 3);
        CuArray<Integer> destination = classic(cuda.device(1), 0)) {
      source.copyTo(destination);
      whileComparing(source, destination, () -> source.fill(4));
      assertThat(source.toArray(INT32)).containsOnly(4);
      assertThat(destination.toArray(INT32)).containsOnly(3);
      assertThat(cuda.topology().link(cuda.device(0), cuda.device(1)).state())
          .isNotEqualTo(LinkState.QUARANTINED);
    }
  }

  @Test
  void nobodyReadsTheDestinationBeforeItWasCompared() throws Exception {
    try (CuRuntime cuda = open(VerifyMode.EVERY_COPY);
        CuArray<Integer> source = classic(cuda.device(0), 3);
        CuArray<Integer> destination = classic(cuda.device(1), 0)) {
      source.copyTo(destination);
      source.fill(4);
      whileComparing(
          source,
          destination,
          () -> assertThat(destination.toArray(INT32)).as("a reader's bytes").containsOnly(4));
    }
  }

  private void whileComparing(
      CuArray<Integer> source, CuArray<Integer> destination, Runnable action)
      throws ExecutionException, InterruptedException {
    FutureTask<Void> other = new FutureTask<>(action, null);
    atFirst("cuMemcpyDtoH", () -> Threads.startAndAwaitItsWaiting(other));
    source.copyTo(destination);
    other.get();
  }

  @Test
  void aCopyThatWasPlannedBeforeTheLinkWentBadTakesAnotherWay() {
    try (CuRuntime checking = open(VerifyMode.EVERY_COPY);
        CuRuntime trusting = open(VerifyMode.OFF);
        CuArray<Integer> source = classic(trusting.device(0), 3);
        CuArray<Integer> destination = classic(trusting.device(1), 0);
        CuArray<Integer> probe = classic(checking.device(0), 5);
        CuArray<Integer> echo = classic(checking.device(1), 0)) {
      assertThat(source.planCopyTo(destination).strategy()).isEqualTo(CopyStrategy.PEER);
      // The first copy between two devices makes its stream once it has been planned.
      atFirst("cuStreamCreateWithPriority", () -> copyUntilTheLinkIsQuarantined(probe, echo));
      source.copyTo(destination);
      assertThat(peerCopies).as("peer copies since the quarantine").hasValue(0);
      assertThat(destination.toArray(INT32)).containsOnly(3);
    }
  }

  private void copyUntilTheLinkIsQuarantined(
      CuArray<Integer> source, CuArray<Integer> destination) {
    for (int i = 0; i <= RIGHT_COPIES; i++) {
      source.copyTo(destination);
    }
    assertThat(source.planCopyTo(destination).strategy()).isEqualTo(CopyStrategy.HOST_STAGED);
    peerCopies.set(0);
  }
}
