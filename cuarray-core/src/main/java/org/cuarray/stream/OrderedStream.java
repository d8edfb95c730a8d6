package org.cuarray.stream;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.cuarray.CuClosedException;
import org.cuarray.CuException;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.DriverFlags;
import org.cuarray.driver.DriverStatus;

/**
 * A CUDA stream whose operations are numbered.
 *
 * <p>The number of an operation is its ticket. The stream remembers which tickets its recent events
 * cover, and up to which ticket of every other stream it has already been made to wait; so an
 * operation that must come after ticket <i>t</i> of stream <i>T</i> costs a driver call only where
 * that is not known already.
 *
 * <p>All state is guarded by {@link #lock}; an {@link Operation} holds the locks of every stream
 * that it touches, in the order of {@link #id}.
 */
public final class OrderedStream implements Releasable {
  private static final int EVENTS_TO_SLEEP_ON =
      DriverFlags.EVENT_DISABLE_TIMING | DriverFlags.EVENT_BLOCKING_SYNC;

  private static final System.Logger LOG = System.getLogger("org.cuarray");
  private static final AtomicLong IDS = new AtomicLong();

  final ReentrantLock lock = new ReentrantLock();

  private final CudaDriver driver;
  private final StreamIndexes indexes;
  private final long id = IDS.incrementAndGet();
  private final int index;
  private final StreamHandle handle;
  private final EventRing ring;
  private final KnownOrder behind = new KnownOrder();
  private final StreamUsers users = new StreamUsers(lock);

  private long submitted;
  private volatile long completed;

  /** All work was seen to have ended, and the stream was destroyed where it is not its makers'. */
  private boolean ended;

  /** What the newest operation worked on, see {@link #separate}. */
  private long firstSubject;

  private long secondSubject;

  private OrderedStream(CudaDriver driver, StreamHandle handle, int eventFlags) {
    this.driver = driver;
    this.handle = handle;
    this.ring = new EventRing(handle, eventFlags);
    this.indexes = StreamIndexes.of(driver);
    StreamIndexes.Slot slot = indexes.take();
    this.index = slot.index();
    this.submitted = slot.firstTicket();
    this.completed = submitted;
  }

  /**
   * Creates a stream for this library's own submissions. It does not synchronise with the legacy
   * default stream.
   *
   * @param ordinal the device
   * @param priority as CUDA has it: lower is more urgent
   */
  public static OrderedStream create(CudaDriver driver, int ordinal, int priority) {
    return new OrderedStream(
        driver, StreamHandle.create(driver, ordinal, priority), DriverFlags.EVENT_DISABLE_TIMING);
  }

  /** Likewise a stream whose handle is given to users. */
  public static OrderedStream lend(CudaDriver driver, int ordinal, int priority) {
    return new OrderedStream(
        driver, StreamHandle.lend(driver, ordinal, priority), EVENTS_TO_SLEEP_ON);
  }

  /** A stream that somebody else made and will destroy; 0 is the legacy default stream. */
  public static OrderedStream wrap(CudaDriver driver, int ordinal, long context, long handle) {
    return new OrderedStream(
        driver, StreamHandle.wrap(driver, ordinal, context, handle), EVENTS_TO_SLEEP_ON);
  }

  /** Position in the order in which stream locks are taken; never used again. */
  long id() {
    return id;
  }

  /** Ordinal of the device. */
  public int ordinal() {
    return handle.ordinal();
  }

  /** The context that the stream belongs to. */
  public long context() {
    return handle.context();
  }

  /** The driver's handle. */
  public long handle() {
    return handle.value();
  }

  /**
   * Makes the stream's context current, until {@link #leaveContext}.
   *
   * @throws IllegalStateException where the stream is capturing: a capture may have begun while the
   *     caller waited for a lease
   */
  void enterContext() {
    requireOpen();
    if (handle.isShared() && handle.isCapturing()) {
      throw new IllegalStateException(this + " is capturing a graph; end the capture first");
    }
    handle.enterContext();
  }

  /** Likewise where another context is current; returns whether {@link #leaveContext} follows. */
  boolean enterInsteadOfAnotherContext() {
    requireOpen();
    return handle.enterInsteadOfAnotherContext();
  }

  /** Under the lock. */
  void requireOpen() {
    if (users.isClosing()) {
      throw new CuClosedException(this + " was closed, or is being closed");
    }
  }

  void leaveContext() {
    handle.leaveContext();
  }

  /** Whether {@link #close} has done its work. */
  @Override
  public boolean isClosed() {
    return users.isClosed();
  }

  /** Whether the host knows that a ticket has completed. */
  boolean hasCompleted(long ticket) {
    return ticket <= completed;
  }

  /**
   * Whether somebody captures what is submitted into a graph; a stream that was destroyed captures
   * nothing. Under the lock, as the driver must not be asked about such a stream.
   */
  public boolean isCapturing() {
    lock.lock();
    try {
      return !ended && handle.isCapturing();
    } finally {
      lock.unlock();
    }
  }

  /** Under the lock: somebody else may submit from now on, and the stream stays until they end. */
  void leaseOpened() {
    users.leaseOpened();
  }

  /**
   * Nobody submits for that lease any more.
   *
   * @return a ticket for whatever somebody else has submitted to the stream so far
   */
  long leaseClosed() {
    lock.lock();
    try {
      long ticket = takeTicket();
      coverForOthers();
      if (users.leaseClosed()) {
        users.awaitHostWaits(handle);
        end();
      }
      return ticket;
    } finally {
      lock.unlock();
    }
  }

  /** Under the lock: the ticket of an operation that is about to be submitted. */
  long takeTicket() {
    assert lock.isHeldByCurrentThread() : "the lock of " + this + " was not taken";
    return ++submitted;
  }

  /**
   * Under the lock: covers what was submitted by an event, where others have the stream. Later it
   * may be capturing, and nothing may be recorded on it.
   */
  void coverForOthers() {
    if (handle.isShared()) {
      try {
        if (!handle.isCapturing()) {
          ring.record(submitted, behind.tickets());
        }
      } catch (CuException e) {
        LOG.log(System.Logger.Level.DEBUG, "whoever waits for the work will meet the failure", e);
      }
    }
  }

  /**
   * Whether this stream is known to come after the ticket of another. Exact under the lock; without
   * it a "no" may be out of date.
   */
  boolean isBehind(OrderedStream other, long ticket) {
    return behind.includes(other.index, ticket);
  }

  /**
   * Under the lock, before an operation on other data than the newest one's is submitted: records
   * an event, since a later one would also cover the new, unrelated work and make a waiter wait for
   * it. On a chain of copies between the same two places no event is recorded.
   *
   * @param first identifies what the operation works on, by address
   * @param second likewise
   */
  void separate(long first, long second) {
    if (first == firstSubject && second == secondSubject) {
      return;
    }
    firstSubject = first;
    secondSubject = second;
    if (submitted > completed && !ring.covers(submitted)) {
      ring.record(submitted, behind.tickets());
    }
  }

  /**
   * Under both locks: makes the waiter wait for a ticket of this stream, through the earliest event
   * that covers it.
   */
  void makeWait(OrderedStream waiter, long ticket) {
    if (hasCompleted(ticket) || waiter.isBehind(this, ticket)) {
      return;
    }
    int event = eventFor(ticket);
    waiter.handle.waitFor(ring.event(event), ordinal());
    waiter.behind.learn(index, ring.ticket(event), ring.behind(event));
  }

  /**
   * Under all locks: whether a waiter that {@linkplain #makeWait waits} for a ticket of this stream
   * thereby comes after a ticket of a third one too.
   */
  boolean bringsAlong(OrderedStream waiter, long ticket, OrderedStream third, long ticketOfThird) {
    if (hasCompleted(ticket) || waiter.isBehind(this, ticket)) {
      return false;
    }
    long[] known = ring.covers(ticket) ? ring.behind(ring.covering(ticket)) : behind.tickets();
    return KnownOrder.includes(known, third.index, ticketOfThird);
  }

  private int eventFor(long ticket) {
    if (ring.covers(ticket)) {
      return ring.covering(ticket);
    }
    if (handle.isShared() && handle.isCapturing()) {
      throw DriverStatus.failure(
          CudaError.STREAM_CAPTURE_UNSUPPORTED, "cuEventRecord", ordinal(), DriverStatus.NO_BYTES);
    }
    return ring.record(submitted, behind.tickets());
  }

  /**
   * Blocks the host until a ticket has completed.
   *
   * @throws RuntimeException the failure that the device met, of whatever call
   */
  public void hostWait(long ticket) {
    long event;
    long covered;
    lock.lock();
    try {
      users.awaitClosing();
      if (hasCompleted(ticket)) {
        return;
      }
      int ringed = eventFor(ticket);
      event = ring.event(ringed);
      covered = ring.ticket(ringed);
      users.hostWaitBegun();
    } finally {
      lock.unlock();
    }
    int status = CudaError.UNKNOWN;
    try {
      // Should the ring re-record this event meanwhile, the wait only gets longer.
      status = driver.eventSynchronize(event);
    } finally {
      hostWaitEnded(status, covered);
    }
    DriverStatus.check(status, "cuEventSynchronize", ordinal());
  }

  private void hostWaitEnded(int status, long reached) {
    lock.lock();
    try {
      if (status == CudaError.SUCCESS) {
        completed = Math.max(completed, reached);
      }
      users.hostWaitEnded();
    } finally {
      lock.unlock();
    }
  }

  /** Like {@link #hostWait} for a thread that has time: it sleeps in the driver, not spins. */
  public void hostWaitAsleep(long ticket) {
    if (handle.isShared()) {
      hostWait(ticket);
      return;
    }
    long[] event = new long[1];
    try {
      long covered = recordAsleep(event, ticket);
      if (covered > 0) {
        DriverStatus.check(driver.eventSynchronize(event[0]), "cuEventSynchronize", ordinal());
        hasReached(covered);
      }
    } finally {
      if (event[0] != 0) {
        int unused = driver.eventDestroy(event[0]);
      }
    }
  }

  /**
   * Records an event of its own, on which a thread may sleep; 0 where there is nothing to wait for.
   */
  private long recordAsleep(long[] event, long ticket) {
    lock.lock();
    try {
      if (hasCompleted(ticket)) {
        return 0;
      }
      event[0] = handle.createEvent(EVENTS_TO_SLEEP_ON);
      handle.record(event[0]);
      return submitted;
    } finally {
      lock.unlock();
    }
  }

  /** Blocks the host until all that was submitted so far has completed. */
  public void synchronize() {
    long all;
    lock.lock();
    try {
      users.awaitClosing();
      if (users.isClosed()) {
        return;
      }
      all = submitted;
      users.hostWaitBegun();
    } finally {
      lock.unlock();
    }
    int status = CudaError.UNKNOWN;
    try {
      status = handle.synchronize();
    } finally {
      hostWaitEnded(status, all);
    }
    DriverStatus.check(status, "cuStreamSynchronize", ordinal());
  }

  private void hasReached(long ticket) {
    lock.lock();
    try {
      completed = Math.max(completed, ticket);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for the work on the stream and destroys it. Idempotent; throws nothing.
   *
   * <p>While leases are open, the last of them does so when it is closed.
   *
   * <p>Where the driver refuses to say whether the work has ended, stream and events stay for those
   * who must still come after it.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      users.close(handle, this::end);
    } finally {
      lock.unlock();
    }
  }

  /** Under the lock. */
  private void end() {
    StreamEnd end = new StreamEnd(driver, handle, ring);
    if (end.await(submitted, completed)) {
      completed = Long.MAX_VALUE;
      ended = true;
      end.destroy();
      indexes.giveBack(index, submitted);
    }
  }

  @Override
  public String toString() {
    return handle.toString();
  }
}
