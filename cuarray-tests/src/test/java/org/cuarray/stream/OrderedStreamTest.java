package org.cuarray.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.cuarray.CuClosedException;
import org.cuarray.CuDriverException;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.InterceptedDriver;
import org.cuarray.driver.RecordingDriver;
import org.cuarray.driver.RecordingDriver.Call;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What waits of the host show of a stream's work, and what closing a stream waits for. */
@Timeout(60)
class OrderedStreamTest {
  private final SimulatedDriver machine =
      SimulatedDriver.builder().preset(Preset.NVLINK).devices(1).seed(1).build();
  private final RecordingDriver recording = new RecordingDriver(machine);
  private final AtomicReference<Runnable> meanwhile = new AtomicReference<>();
  private final CudaDriver driver =
      InterceptedDriver.around(
          recording.driver(),
          (call, arguments, proceed) -> {
            if (call.equals("cuEventSynchronize")) {
              Runnable other = meanwhile.getAndSet(null);
              if (other != null) {
                other.run();
              }
            }
            return proceed.call();
          });
  private final OrderedStream stream = OrderedStream.create(driver, 0, 0);

  private long submit() {
    Operation step = Operation.begin();
    try {
      step.enter(stream, 1, 2);
      return step.leave();
    } finally {
      step.end();
    }
  }

  @Test
  void aWaitShowsThatItsTicketHasCompletedAndNoLaterOne() {
    long first = submit();
    stream.hostWait(first);
    assertThat(stream.hasCompleted(first)).isTrue();
    assertThat(stream.hasCompleted(first + 1)).isFalse();
    long second = submit();
    stream.hostWaitAsleep(second);
    assertThat(stream.hasCompleted(second)).isTrue();
    assertThat(stream.hasCompleted(second + 1)).isFalse();
    long third = submit();
    stream.synchronize();
    assertThat(stream.hasCompleted(third)).isTrue();
    assertThat(stream.hasCompleted(third + 1)).isFalse();
  }

  @Test
  void aWaitThatFailedShowsNothing() {
    long ticket = submit();
    machine.failFromNow("cuEventSynchronize", 1, CudaError.INVALID_HANDLE);
    assertThatExceptionOfType(CuDriverException.class).isThrownBy(() -> stream.hostWait(ticket));
    machine.failFromNow("cuEventSynchronize", 1, CudaError.INVALID_HANDLE);
    assertThatExceptionOfType(CuDriverException.class)
        .isThrownBy(() -> stream.hostWaitAsleep(ticket));
    machine.failFromNow("cuStreamSynchronize", 1, CudaError.INVALID_HANDLE);
    assertThatExceptionOfType(CuDriverException.class).isThrownBy(stream::synchronize);
    assertThat(stream.hasCompleted(ticket)).isFalse();
  }

  @Test
  void theHostChoosesItsEventUnderTheLock() throws Exception {
    long ticket = submit();
    FutureTask<Void> busily = new FutureTask<>(() -> stream.hostWait(ticket), null);
    FutureTask<Void> asleep = new FutureTask<>(() -> stream.hostWaitAsleep(ticket), null);
    stream.lock.lock();
    try {
      startAndAwaitItsWaiting(busily);
      startAndAwaitItsWaiting(asleep);
      assertThat(recording.calls("cuEventRecord", "cuEventSynchronize")).isEmpty();
    } finally {
      stream.lock.unlock();
    }
    busily.get();
    asleep.get();
  }

  @Test
  void aClosedStreamTakesNoWork() {
    stream.close();
    assertThatExceptionOfType(CuClosedException.class).isThrownBy(this::submit);
  }

  @Test
  void anErrorOfAnotherCallKeepsNoStreamOpen() {
    submit();
    machine.failFromNow("cuStreamSynchronize", 1, CudaError.INVALID_VALUE);
    stream.close();
    assertThat(recording.calls("cuStreamDestroy")).hasSize(1);
  }

  @Test
  void aStreamWhoseEndTheDriverWillNotTellStays() {
    long ticket = submit();
    for (int attempt = 1; attempt <= 3; attempt++) {
      machine.failFromNow("cuStreamSynchronize", attempt, CudaError.INVALID_VALUE);
    }
    stream.close();
    assertThat(recording.calls("cuStreamSynchronize")).hasSize(3);
    assertThat(recording.calls("cuStreamDestroy", "cuEventDestroy")).isEmpty();
    assertThat(stream.hasCompleted(ticket)).isFalse();
    stream.hostWait(ticket);
    assertThat(stream.hasCompleted(ticket)).isTrue();
  }

  @Test
  void aStreamIsDestroyedOnceAndNotWhileAThreadWaitsForIt() throws Exception {
    long ticket = submit();
    FutureTask<Void> close = new FutureTask<>(stream::close, null);
    FutureTask<Void> again = new FutureTask<>(stream::close, null);
    meanwhile.set(
        () -> {
          startAndAwaitItsWaiting(close);
          startAndAwaitItsWaiting(again);
          assertThat(recording.calls("cuStreamDestroy")).isEmpty();
        });
    stream.hostWait(ticket);
    close.get();
    again.get();
    assertThat(recording.calls("cuStreamSynchronize", "cuStreamDestroy"))
        .extracting(Call::name)
        .containsExactly("cuStreamSynchronize", "cuStreamDestroy");
    assertThat(stream.hasCompleted(Long.MAX_VALUE)).isTrue();
  }

  @Test
  void theLastLeaseOfAClosedStreamEndsItNotWhileAThreadWaitsForIt() throws Exception {
    OrderedStream lent = OrderedStream.lend(driver, 0, 0);
    StreamLease lease = StreamLease.on(lent, "a lease").open();
    StreamLease other = StreamLease.on(lent, "another lease").open();
    long ticket = lent.leaseClosed();
    lent.close();
    FutureTask<Void> close = new FutureTask<>(lease::close, null);
    meanwhile.set(
        () -> {
          startAndAwaitItsWaiting(close);
          assertThat(recording.calls("cuStreamDestroy", "cuEventDestroy")).isEmpty();
        });
    lent.hostWait(ticket);
    close.get();
    assertThat(recording.calls("cuStreamDestroy")).hasSize(1);
    assertThat(other.isClosed()).isFalse();
  }

  private static void startAndAwaitItsWaiting(FutureTask<Void> task) {
    Thread thread = new Thread(task);
    thread.start();
    List<Thread.State> waiting = List.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);
    while (!waiting.contains(thread.getState())) {
      assertThat(task).as("it does not wait").isNotDone();
      Thread.onSpinWait();
    }
  }
}
