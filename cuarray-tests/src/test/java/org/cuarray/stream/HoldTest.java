package org.cuarray.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.FutureTask;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.multidevice.Threads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whom a hold keeps out, and until when. */
@Timeout(60)
class HoldTest {
  private static final int BYTES = 100;

  private final OrderedStream stream =
      OrderedStream.create(SimulatedDriver.of(Preset.NVLINK, 1), 0, 0);
  private final History history = new History(BYTES);

  private Hold hold(long from, long to, AccessMode mode) {
    Operation step = Operation.begin();
    try {
      int access = step.touches(history, from, to, mode);
      step.lock();
      return step.hold(access, "a test");
    } finally {
      step.end();
    }
  }

  private void tryHold(long from, long to, AccessMode mode) {
    Operation step = Operation.begin();
    try {
      step.touches(history, from, to, mode);
      assertThat(step.tryLock()).isTrue();
    } finally {
      step.end();
    }
  }

  @Test
  void whatIsHeldByAnotherThreadIsWaitedFor() throws Exception {
    Hold hold = hold(0, BYTES, AccessMode.WRITE);
    FutureTask<Void> other =
        new FutureTask<>(() -> hold(0, BYTES, AccessMode.READ).release(), null);
    Threads.startAndAwaitItsWaiting(other);
    hold.release();
    other.get();
  }

  @Test
  void aHoldKeepsItsOwnBytesOnlyAndLetsReadersRead() {
    Hold hold = hold(20, 40, AccessMode.READ);
    hold(20, 40, AccessMode.READ).release();
    hold(0, 20, AccessMode.WRITE).release();
    hold(40, BYTES, AccessMode.WRITE).release();
    assertThat(history.conflicting(39, BYTES, AccessMode.WRITE)).isSameAs(hold);
    hold.release();
    assertThat(history.conflicting(39, BYTES, AccessMode.WRITE)).isNull();
  }

  @Test
  void whatTheThreadItselfHoldsIsRefusedByName() {
    Hold hold = hold(0, BYTES, AccessMode.READ);
    assertThatIllegalStateException()
        .isThrownBy(() -> tryHold(0, BYTES, AccessMode.WRITE))
        .withMessageContaining("a test");
    hold.release();
  }

  @Test
  void aHoldIsReleasedUnderTheLockOfItsHistory() throws Exception {
    Hold hold = hold(0, BYTES, AccessMode.READ);
    Hold marked = hold(0, BYTES, AccessMode.READ);
    FutureTask<Void> release = new FutureTask<>(hold::release, null);
    FutureTask<Void> withMark = new FutureTask<>(() -> marked.release(stream, 1), null);
    history.lock.lock();
    try {
      Threads.startAndAwaitItsWaiting(release);
      Threads.startAndAwaitItsWaiting(withMark);
    } finally {
      history.lock.unlock();
    }
    release.get();
    withMark.get();
  }

  @Test
  void memoryIsFreedWhenTheLastHoldIsReleased() {
    Hold one = hold(0, BYTES, AccessMode.READ);
    Hold other = hold(0, BYTES, AccessMode.READ);
    boolean[] freed = new boolean[1];
    history.whenNotHeld(() -> freed[0] = true);
    one.release();
    assertThat(freed[0]).isFalse();
    other.release();
    assertThat(freed[0]).isTrue();
  }

  @Test
  void aLeaseThatIsClosedAgainSubmitsNothing() {
    StreamLease lease = StreamLease.on(stream, "a test").open();
    lease.close();
    stream.leaseOpened();
    long closed = stream.leaseClosed();
    lease.close();
    stream.leaseOpened();
    assertThat(stream.leaseClosed()).isEqualTo(closed + 1);
  }
}
