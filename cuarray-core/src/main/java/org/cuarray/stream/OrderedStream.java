package org.cuarray.stream;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.cuarray.CuClosedException;
import org.cuarray.CuException;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.DriverFlags;
import org.cuarray.driver.DriverStatus;
import org.cuarray.registry.DeviceContexts;

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
  /** Events kept per stream; an older one is re-recorded and then covers more than it needs to. */
  private static final int EVENTS = 16;

  /** How soon a thread that waits for others notices that the process is ending. */
  private static final long SHUTDOWN_POLL_MILLIS = 100;

  private static final long[] NOTHING = {};
  private static final AtomicLong IDS = new AtomicLong();

  final ReentrantLock lock = new ReentrantLock();

  private final CudaDriver driver;
  private final DeviceContexts contexts;
  private final StreamIndexes indexes;
  private final long id = IDS.incrementAndGet();
  private final int index;
  private final int ordinal;
  private final long context;
  private final long handle;
  private final boolean owned;

  /** Signalled when a host wait has ended, and when the stream was closed. */
  private final Condition changed = lock.newCondition();

  /** Threads that wait in the driver for this stream, whose events must stay until they return. */
  private int hostWaits;

  private long submitted;
  private volatile long completed;
  private boolean closing;
  private volatile boolean closed;

  /** By index of another stream: the ticket up to which this stream is behind it. */
  private long[] behind = NOTHING;

  /** Rings of {@link #EVENTS}: the newest event is at {@link #newest}. */
  private final long[] events = new long[EVENTS];

  private final long[] eventTickets = new long[EVENTS];
  private final long[][] eventBehind = new long[EVENTS][];
  private int newest;
  private int recorded;

  /** What the newest operation worked on, see {@link #separate}. */
  private long firstSubject;

  private long secondSubject;

  private OrderedStream(CudaDriver driver, int ordinal, long context, long handle, boolean owned) {
    this.driver = driver;
    this.contexts = DeviceContexts.of(driver);
    this.indexes = StreamIndexes.of(driver);
    this.ordinal = ordinal;
    this.context = context;
    this.handle = handle;
    this.owned = owned;
    StreamIndexes.Slot slot = indexes.take();
    this.index = slot.index();
    this.submitted = slot.firstTicket();
    this.completed = submitted;
    Arrays.fill(eventBehind, NOTHING);
  }

  /**
   * Creates a stream that does not synchronise with the legacy default stream.
   *
   * @param ordinal the device
   * @param priority as CUDA has it: lower is more urgent
   */
  public static OrderedStream create(CudaDriver driver, int ordinal, int priority) {
    DeviceContexts contexts = DeviceContexts.of(driver);
    long context = contexts.context(ordinal);
    long[] handle = new long[1];
    contexts.enter(context);
    try {
      DriverStatus.check(
          driver.streamCreateWithPriority(handle, DriverFlags.STREAM_NON_BLOCKING, priority),
          "cuStreamCreateWithPriority",
          ordinal);
    } finally {
      contexts.leave();
    }
    return new OrderedStream(driver, ordinal, context, handle[0], true);
  }

  /** A stream that somebody else made and will destroy; 0 is the legacy default stream. */
  public static OrderedStream wrap(CudaDriver driver, int ordinal, long context, long handle) {
    return new OrderedStream(driver, ordinal, context, handle, false);
  }

  /** Position in the order in which stream locks are taken; never used again. */
  long id() {
    return id;
  }

  /** Ordinal of the device. */
  public int ordinal() {
    return ordinal;
  }

  /** The context that the stream belongs to. */
  public long context() {
    return context;
  }

  /** The driver's handle. */
  public long handle() {
    return handle;
  }

  /** Makes the stream's context current, until {@link #leaveContext}. */
  void enterContext() {
    if (closing) {
      throw new CuClosedException(this + " was closed, or is being closed");
    }
    contexts.enter(context);
  }

  void leaveContext() {
    contexts.leave();
  }

  /** Whether {@link #close} was called. */
  @Override
  public boolean isClosed() {
    return closed;
  }

  /** Whether the host knows that a ticket has completed. A closed stream has completed all. */
  boolean hasCompleted(long ticket) {
    return ticket <= completed || closed;
  }

  /**
   * Whether somebody captures what is submitted into a graph; a closed stream captures nothing.
   * Under the lock, as the driver must not be asked about a stream that was destroyed.
   */
  boolean isCapturing() {
    lock.lock();
    try {
      int[] capturing = new int[1];
      if (!closing) {
        DriverStatus.check(
            driver.streamIsCapturing(handle, capturing), "cuStreamIsCapturing", ordinal);
      }
      return capturing[0] != 0;
    } finally {
      lock.unlock();
    }
  }

  /** A ticket for whatever somebody else has submitted to the stream so far. */
  long submittedByOthers() {
    lock.lock();
    try {
      return ++submitted;
    } finally {
      lock.unlock();
    }
  }

  /** Under the lock: takes the next ticket, for an operation just submitted. */
  long submitted() {
    return ++submitted;
  }

  /**
   * Whether this stream is known to come after the ticket of another. Exact under the lock; without
   * it a "no" may be out of date.
   */
  boolean isBehind(OrderedStream other, long ticket) {
    long[] known = behind;
    return other.index < known.length && known[other.index] >= ticket;
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
    if (submitted > completed && !covers(submitted)) {
      record();
    }
  }

  private boolean covers(long ticket) {
    return recorded > 0 && eventTickets[newest] >= ticket;
  }

  /**
   * Under both locks, with a context of the waiter's device current: makes the waiter wait for a
   * ticket of this stream, through the earliest event that covers it.
   */
  void makeWait(OrderedStream waiter, long ticket) {
    if (hasCompleted(ticket) || waiter.isBehind(this, ticket)) {
      return;
    }
    int event = eventFor(ticket);
    DriverStatus.check(
        driver.streamWaitEvent(waiter.handle, events[event], 0), "cuStreamWaitEvent", ordinal);
    waiter.learn(index, eventTickets[event], eventBehind[event]);
  }

  /**
   * Under all locks: whether a waiter that {@linkplain #makeWait waits} for a ticket of this stream
   * thereby comes after a ticket of a third one too.
   */
  boolean bringsAlong(OrderedStream waiter, long ticket, OrderedStream third, long ticketOfThird) {
    if (hasCompleted(ticket) || waiter.isBehind(this, ticket)) {
      return false;
    }
    long[] known = covers(ticket) ? eventBehind[coveringEvent(ticket)] : behind;
    return third.index < known.length && known[third.index] >= ticketOfThird;
  }

  private int eventFor(long ticket) {
    if (!covers(ticket)) {
      record();
      return newest;
    }
    return coveringEvent(ticket);
  }

  /** The earliest event that covers a ticket, where there is one. */
  private int coveringEvent(long ticket) {
    int best = newest;
    for (int age = 1; age < recorded; age++) {
      int candidate = Math.floorMod(newest - age, EVENTS);
      if (eventTickets[candidate] < ticket) {
        break;
      }
      best = candidate;
    }
    return best;
  }

  private void record() {
    int next = recorded == 0 ? 0 : (newest + 1) % EVENTS;
    if (events[next] == 0) {
      events[next] = createEvent();
    }
    contexts.enter(context);
    try {
      // The legacy default stream has no handle of its own: it is that of the current context.
      DriverStatus.check(driver.eventRecord(events[next], handle), "cuEventRecord", ordinal);
    } finally {
      contexts.leave();
    }
    newest = next;
    recorded = Math.min(recorded + 1, EVENTS);
    eventTickets[next] = submitted;
    // What this stream has waited for, a waiter of this event has waited for too.
    if (eventBehind[next].length != behind.length) {
      eventBehind[next] = behind.clone();
    } else {
      System.arraycopy(behind, 0, eventBehind[next], 0, behind.length);
    }
  }

  private long createEvent() {
    long[] event = new long[1];
    contexts.enter(context);
    try {
      DriverStatus.check(
          driver.eventCreate(event, DriverFlags.EVENT_DISABLE_TIMING), "cuEventCreate", ordinal);
    } finally {
      contexts.leave();
    }
    return event[0];
  }

  private void learn(int other, long ticket, long[] inherited) {
    int needed = Math.max(other + 1, inherited.length);
    if (behind.length < needed) {
      behind = Arrays.copyOf(behind, needed);
    }
    for (int i = 0; i < inherited.length; i++) {
      behind[i] = Math.max(behind[i], inherited[i]);
    }
    behind[other] = Math.max(behind[other], ticket);
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
      awaitClosing();
      if (hasCompleted(ticket)) {
        return;
      }
      int ringed = eventFor(ticket);
      event = events[ringed];
      covered = eventTickets[ringed];
      hostWaits++;
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
    DriverStatus.check(status, "cuEventSynchronize", ordinal);
  }

  /** Under the lock: a stream that is being closed soon has nothing left to wait for. */
  private void awaitClosing() {
    while (closing && !closed) {
      changed.awaitUninterruptibly();
    }
  }

  private void hostWaitEnded(int status, long reached) {
    lock.lock();
    try {
      if (status == CudaError.SUCCESS) {
        completed = Math.max(completed, reached);
      }
      hostWaits--;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Like {@link #hostWait} for a thread that has time: it sleeps in the driver, not spins. */
  public void hostWaitAsleep(long ticket) {
    long[] event = new long[1];
    try {
      long covered = recordAsleep(event, ticket);
      if (covered > 0) {
        DriverStatus.check(driver.eventSynchronize(event[0]), "cuEventSynchronize", ordinal);
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
      contexts.enter(context);
      try {
        DriverStatus.check(
            driver.eventCreate(
                event, DriverFlags.EVENT_DISABLE_TIMING | DriverFlags.EVENT_BLOCKING_SYNC),
            "cuEventCreate",
            ordinal);
        DriverStatus.check(driver.eventRecord(event[0], handle), "cuEventRecord", ordinal);
      } finally {
        contexts.leave();
      }
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
      awaitClosing();
      if (closed) {
        return;
      }
      all = submitted;
      hostWaits++;
    } finally {
      lock.unlock();
    }
    int status = CudaError.UNKNOWN;
    try {
      status = driver.streamSynchronize(handle);
    } finally {
      hostWaitEnded(status, all);
    }
    DriverStatus.check(status, "cuStreamSynchronize", ordinal);
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
   * Waits for the work on the stream and destroys it. Idempotent. A device that was lost takes its
   * streams along, and so does the process's end, so failures are swallowed.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      awaitClosing();
      if (closed) {
        return;
      }
      closing = true;
      awaitHostWaits();
      try {
        destroy();
      } catch (CuException e) {
        closed = true;
      }
      indexes.giveBack(index, submitted);
    } finally {
      closed = true;
      changed.signalAll();
      lock.unlock();
    }
  }

  /** Under the lock. At the process's end they may never end, and nothing is destroyed either. */
  private void awaitHostWaits() {
    boolean interrupted = false;
    while (hostWaits > 0 && driver.streamQuery(handle) != CudaError.DEINITIALIZED) {
      try {
        boolean unused = changed.await(SHUTDOWN_POLL_MILLIS, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void destroy() {
    contexts.enter(context);
    try {
      int status = driver.streamSynchronize(handle);
      closed = true;
      for (long event : events) {
        if (event != 0) {
          status = driver.eventDestroy(event);
        }
      }
      if (owned) {
        status = driver.streamDestroy(handle);
      }
      assert status != CudaError.NOT_INITIALIZED : "closed before the driver was initialised";
    } finally {
      contexts.leave();
    }
  }

  @Override
  public String toString() {
    return "stream 0x%x of cuda:%d".formatted(handle, ordinal);
  }
}
