package org.cuarray.memory;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Uninterruptibles;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.stream.HostWaits;
import org.cuarray.stream.Operation;
import org.cuarray.stream.OrderedStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
class ReaperTest {
  private final Reaper reaper = new Reaper();
  private final SimulatedDriver machine =
      SimulatedDriver.builder().preset(Preset.NVLINK).devices(1).seed(1).build();
  private final OrderedStream stream = OrderedStream.create(machine, 0, 0);
  private final HostWaits nothing = HostWaits.of(stream, 0);

  @Test
  void drainingWaitsForWhatIsJustBeingFreed() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    reaper.submit(
        nothing,
        () -> {
          begun.countDown();
          Uninterruptibles.awaitUninterruptibly(end);
        },
        () -> {});
    begun.await();
    assertThat(reaper.drain(Duration.ZERO)).isFalse();
    end.countDown();
    assertThat(reaper.drain(Duration.ofDays(1))).isTrue();
  }

  /** Its thread may have begun by the time of the question, so one time in many shows nothing. */
  @RepeatedTest(20)
  void drainingWaitsForWhatIsNotYetBeingFreed() {
    CountDownLatch end = new CountDownLatch(1);
    reaper.submit(nothing, () -> Uninterruptibles.awaitUninterruptibly(end), () -> {});
    assertThat(reaper.drain(Duration.ZERO)).isFalse();
    end.countDown();
    assertThat(reaper.drain(Duration.ofDays(1))).isTrue();
  }

  /** A release action that allocates asks for this where memory is short. */
  @Test
  void theThreadThatFreesDoesNotWaitForItself() {
    AtomicBoolean drained = new AtomicBoolean(true);
    reaper.submit(nothing, () -> drained.set(reaper.drain(Duration.ofDays(1))), () -> {});
    assertThat(reaper.drain(Duration.ofDays(1))).isTrue();
    assertThat(drained).isFalse();
  }

  @Test
  void othersMemoryIsFreedAfterAFailure() {
    CountDownLatch freed = new CountDownLatch(1);
    reaper.submit(
        nothing,
        () -> {
          throw new IllegalStateException("thrown by a test's release action");
        },
        () -> {});
    reaper.submit(nothing, freed::countDown, () -> {});
    assertThat(reaper.drain(Duration.ofDays(1))).isTrue();
    assertThat(freed.getCount()).isZero();
  }

  @Test
  void whatALostDeviceWasUsingIsFreed() {
    HostWaits use = HostWaits.of(stream, submit());
    machine.loseDevice(0);
    assertThat(whatBecomesOfMemoryAfter(use)).containsExactly("freed");
  }

  @Test
  void whatTheDriverWillNotTellTheEndOfIsLeft() {
    HostWaits use = HostWaits.of(stream, submit());
    for (int attempt = 1; attempt <= 3; attempt++) {
      machine.failFromNow("cuEventSynchronize", attempt, CudaError.INVALID_VALUE);
    }
    assertThat(whatBecomesOfMemoryAfter(use)).containsExactly("left");
  }

  @Test
  void anErrorOfAnotherCallIsNoReasonToLeaveMemory() {
    HostWaits use = HostWaits.of(stream, submit());
    machine.failFromNow("cuEventSynchronize", 1, CudaError.INVALID_VALUE);
    assertThat(whatBecomesOfMemoryAfter(use)).containsExactly("freed");
  }

  private long submit() {
    Operation step = Operation.begin();
    try {
      step.enter(stream, 1, 2);
      return step.leave();
    } finally {
      step.end();
    }
  }

  private List<String> whatBecomesOfMemoryAfter(HostWaits use) {
    List<String> outcomes = new CopyOnWriteArrayList<>();
    reaper.submit(use, () -> outcomes.add("freed"), () -> outcomes.add("left"));
    assertThat(reaper.drain(Duration.ofDays(1))).isTrue();
    return outcomes;
  }
}
