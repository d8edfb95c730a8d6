package org.cuarray.stream;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Arrays;
import org.cuarray.CuDeviceLostException;
import org.jspecify.annotations.Nullable;

/**
 * One step that touches ordered memory, from taking its place in the order to leaving its marks.
 *
 * <pre>{@code
 * Operation step = Operation.begin();
 * try {
 *   int source = step.touches(historyOfSource, from, to, AccessMode.READ);
 *   int target = step.touches(historyOfTarget, from, to, AccessMode.WRITE);
 *   step.lock();                       // both allocations; waits for leases of other threads
 *   // validate: are both still open?
 *   step.after(source);
 *   step.after(target);
 *   step.enterLast(stream, subject, subject);   // submits the waits that are needed
 *   int status = driver.memcpy…(…, stream.handle());
 *   step.leave();
 * } finally {
 *   step.end();
 * }
 * }</pre>
 *
 * <p>A step of several submissions enters each with {@link #enter} and marks its accesses itself.
 *
 * <p>Locks are taken in one global order: allocations by their number, then streams by theirs. That
 * is why nothing that waits for anything but the driver may happen between {@link #lock} and {@link
 * #end}. There is one per thread, used again and again, so that a step allocates nothing.
 */
public final class Operation {
  private static final ThreadLocal<Operation> OF_THREAD = ThreadLocal.withInitial(Operation::new);
  private static final int USUAL = 4;
  private static final System.Logger LOG = System.getLogger("org.cuarray");

  private History[] histories = new History[USUAL];
  private long[] from = new long[USUAL];
  private long[] to = new long[USUAL];
  private AccessMode[] modes = new AccessMode[USUAL];
  private History[] locked = new History[USUAL];
  private final MarkSet waits = new MarkSet();
  private int accesses;
  private int lockedCount;
  private boolean active;

  /** The stream of a submission, locked with those that it waits for. */
  private @Nullable OrderedStream entered;

  private boolean inContext;
  private long ticket;
  private @Nullable OrderedStream reusedFrom;
  private long reusedTicket;

  private Operation() {}

  /**
   * Starts a step on the calling thread.
   *
   * @throws IllegalStateException where the thread is inside another step
   */
  public static Operation begin() {
    Operation operation = OF_THREAD.get();
    if (operation.active) {
      throw new IllegalStateException("a step was begun inside another step of the same thread");
    }
    operation.active = true;
    return operation;
  }

  /**
   * Declares an access, before {@link #lock}.
   *
   * @param start first byte, from the start of the allocation
   * @param end the byte after the last
   * @return a number for {@link #after} and {@link #mark}
   */
  public int touches(History history, long start, long end, AccessMode mode) {
    if (accesses == histories.length) {
      int more = 2 * accesses;
      histories = Arrays.copyOf(histories, more);
      from = Arrays.copyOf(from, more);
      to = Arrays.copyOf(to, more);
      modes = Arrays.copyOf(modes, more);
      locked = Arrays.copyOf(locked, more);
    }
    histories[accesses] = history;
    from[accesses] = start;
    to[accesses] = end;
    modes[accesses] = mode;
    return accesses++;
  }

  /**
   * Locks every allocation involved; waits where another thread holds a conflicting range. The
   * caller may have nothing that the holder could need, such as a staging slot.
   *
   * @throws IllegalStateException where this thread itself holds one, which it is told by name
   */
  public void lock() {
    for (Hold hold = lockUnlessHeld(); hold != null; hold = lockUnlessHeld()) {
      hold.history().awaitRelease(hold);
    }
  }

  /**
   * Like {@link #lock}, but never waits for a holder.
   *
   * @return false, with nothing locked, where another thread holds a conflicting range
   * @throws IllegalStateException where this thread itself holds one, which it is told by name
   */
  public boolean tryLock() {
    return lockUnlessHeld() == null;
  }

  private @Nullable Hold lockUnlessHeld() {
    lockInOrder();
    Hold hold = conflictingHold();
    if (hold == null) {
      return null;
    }
    unlock();
    if (hold.isOfThisThread()) {
      throw new IllegalStateException(
          "this thread still holds the bytes for " + hold.purpose() + "; close that first");
    }
    return hold;
  }

  private void lockInOrder() {
    for (int i = 0; i < accesses; i++) {
      insert(histories[i]);
    }
    for (int i = 0; i < lockedCount; i++) {
      BriefLock.lock(locked[i].lock);
    }
  }

  private void insert(History history) {
    int position = lockedCount;
    while (position > 0 && locked[position - 1].id() >= history.id()) {
      if (locked[position - 1] == history) {
        return;
      }
      position--;
    }
    System.arraycopy(locked, position, locked, position + 1, lockedCount - position);
    locked[position] = history;
    lockedCount++;
  }

  private @Nullable Hold conflictingHold() {
    for (int i = 0; i < accesses; i++) {
      Hold hold = histories[i].conflicting(from[i], to[i], modes[i]);
      if (hold != null) {
        return hold;
      }
    }
    return null;
  }

  /** The next {@link #enter} comes after everything that conflicts with an access. */
  public void after(int access) {
    histories[access].collect(from[access], to[access], modes[access], waits);
  }

  /** The next {@link #enter} comes after a ticket of a stream. */
  public void after(OrderedStream stream, long ticket) {
    waits.add(stream, ticket);
  }

  /**
   * The next {@link #enter} comes after the last use of something that is used again, on whatever
   * device that was. Unlike data, it is free where that device has been lost: what a lost device
   * was doing has ended with it.
   */
  public void afterLastUse(OrderedStream stream, long ticket) {
    reusedFrom = stream;
    reusedTicket = ticket;
  }

  /**
   * Whether a submission on a stream would come after everything asked with {@code after} without
   * waiting. A hint: "no" may be out of date.
   */
  public boolean needsNoWait(OrderedStream stream) {
    for (int i = 0; i < waits.size(); i++) {
      if (needsWait(stream, waits.stream(i), waits.ticket(i))) {
        return false;
      }
    }
    return true;
  }

  /** Without a lock: what is known stays true, and more may be known by now. */
  private static boolean needsWait(OrderedStream stream, OrderedStream other, long earlier) {
    return other != stream && !other.hasCompleted(earlier) && !stream.isBehind(other, earlier);
  }

  /**
   * Takes over what was asked with {@code after}, to be waited for by the host once this step has
   * ended.
   */
  public HostWaits intoHostWaits() {
    HostWaits all = new HostWaits(waits);
    waits.clear();
    return all;
  }

  /**
   * Locks a stream for one submission, makes its context current and makes it wait for whatever was
   * asked with {@code after}. Until {@link #leave} nothing may block but the driver: a virtual
   * thread that parked could go on on another carrier, and the current context is the carrier's.
   * Where nothing but the waits is to be submitted, {@link #end} is enough.
   *
   * @param first identifies what the submission works on, by address
   * @param second likewise; copies between the same two places share both
   */
  public void enter(OrderedStream stream, long first, long second) {
    lockStreams(stream);
    stream.enterContext();
    inContext = true;
    submitWaits(stream, first, second);
  }

  /**
   * Like {@link #enter}, but changes the current context only where it is another one: for calls
   * that name a stream and need none, where pushing and popping would cost a good part of the call.
   */
  public void enterInsteadOfAnotherContext(OrderedStream stream, long first, long second) {
    lockStreams(stream);
    inContext = stream.enterInsteadOfAnotherContext();
    submitWaits(stream, first, second);
  }

  private void lockStreams(OrderedStream stream) {
    dropKnown(stream);
    waits.include(stream);
    if (reusedFrom != null) {
      waits.include(reusedFrom);
    }
    waits.sort();
    for (int i = 0; i < waits.size(); i++) {
      BriefLock.lock(waits.stream(i).lock);
    }
    entered = stream;
  }

  private void submitWaits(OrderedStream stream, long first, long second) {
    stream.separate(first, second);
    // What another wait brings along comes last, and is known by then: in an exchange between two
    // devices, what a copy overwrites was read before what it copies was written.
    for (int i = 0; i < waits.size(); i++) {
      if (waits.stream(i) != stream && !isBroughtAlong(i, stream)) {
        waits.stream(i).makeWait(stream, waits.ticket(i));
      }
    }
    for (int i = 0; i < waits.size(); i++) {
      if (waits.stream(i) != stream) {
        waits.stream(i).makeWait(stream, waits.ticket(i));
      }
    }
    if (reusedFrom != null && reusedFrom != stream) {
      makeWaitUnlessLost(reusedFrom, stream);
    }
    ticket = stream.takeTicket();
  }

  /**
   * Like {@link #enter}, for the only submission of a step or its last: enters all accesses into
   * the histories of their bytes, and gives everything back but the stream. Whoever comes next on
   * the bytes meets the mark, and with it the lock of this stream, so the driver call need not be
   * waited for by those who have no business with it.
   */
  public void enterLast(OrderedStream stream, long first, long second) {
    enter(stream, first, second);
    giveBackAllBut(stream);
  }

  /** Likewise {@link #enterInsteadOfAnotherContext}. */
  public void enterLastInsteadOfAnotherContext(OrderedStream stream, long first, long second) {
    enterInsteadOfAnotherContext(stream, first, second);
    giveBackAllBut(stream);
  }

  private void giveBackAllBut(OrderedStream stream) {
    for (int i = 0; i < accesses; i++) {
      mark(i, stream, ticket);
    }
    unlock();
    for (int i = waits.size() - 1; i >= 0; i--) {
      if (waits.stream(i) != stream) {
        waits.stream(i).lock.unlock();
      }
    }
    waits.setOnly(stream);
  }

  private void makeWaitUnlessLost(OrderedStream last, OrderedStream stream) {
    try {
      last.makeWait(stream, reusedTicket);
    } catch (CuDeviceLostException e) {
      LOG.log(System.Logger.Level.DEBUG, "what a lost device was doing has ended with it", e);
    }
  }

  /** Streams that need not be waited for need not be locked. */
  private void dropKnown(OrderedStream stream) {
    for (int i = waits.size() - 1; i >= 0; i--) {
      if (!needsWait(stream, waits.stream(i), waits.ticket(i))) {
        waits.remove(i);
      }
    }
  }

  private boolean isBroughtAlong(int i, OrderedStream stream) {
    for (int j = 0; j < waits.size(); j++) {
      OrderedStream other = waits.stream(j);
      if (j != i
          && other != stream
          && other.bringsAlong(stream, waits.ticket(j), waits.stream(i), waits.ticket(i))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Ends one submission, be its status good or bad: what the driver may have taken stays tracked.
   *
   * @return the ticket of what was submitted
   */
  public long leave() {
    checkNotNull(entered, "nothing was entered").coverForOthers();
    leaveStreams();
    return ticket;
  }

  private void leaveStreams() {
    try {
      if (inContext && entered != null) {
        entered.leaveContext();
      }
    } finally {
      inContext = false;
      entered = null;
      for (int i = waits.size() - 1; i >= 0; i--) {
        waits.stream(i).lock.unlock();
      }
      waits.clear();
      reusedFrom = null;
    }
  }

  /** Enters an access into the history of its bytes. */
  public void mark(int access, OrderedStream stream, long ticket) {
    histories[access].mark(from[access], to[access], modes[access], stream, ticket);
  }

  /**
   * Keeps the bytes of an access to this thread until the hold is released.
   *
   * @param purpose names it to others
   */
  public Hold hold(int access, String purpose) {
    Hold hold = new Hold(histories[access], from[access], to[access], modes[access], purpose);
    histories[access].addHold(hold);
    return hold;
  }

  private void unlock() {
    for (int i = lockedCount - 1; i >= 0; i--) {
      locked[i].lock.unlock();
    }
    Arrays.fill(locked, 0, lockedCount, null);
    lockedCount = 0;
  }

  /** Gives every lock back, whatever happened. */
  public void end() {
    if (entered != null) {
      leaveStreams();
    }
    waits.clear();
    reusedFrom = null;
    unlock();
    Arrays.fill(histories, 0, accesses, null);
    accesses = 0;
    active = false;
  }
}
