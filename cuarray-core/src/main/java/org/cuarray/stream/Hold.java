package org.cuarray.stream;

/**
 * A range of bytes that one thread keeps to itself over several driver calls, such as an upload in
 * pieces or an open lease: conflicting operations of other threads wait until it is released.
 */
public final class Hold {
  private final History history;
  private final long from;
  private final long to;
  private final AccessMode mode;
  private final Thread thread = Thread.currentThread();
  private final String purpose;

  Hold(History history, long from, long to, AccessMode mode, String purpose) {
    this.history = history;
    this.from = from;
    this.to = to;
    this.mode = mode;
    this.purpose = purpose;
  }

  boolean conflicts(long otherFrom, long otherTo, AccessMode otherMode) {
    return otherFrom < to
        && from < otherTo
        && (mode == AccessMode.WRITE || otherMode == AccessMode.WRITE);
  }

  History history() {
    return history;
  }

  boolean isOfThisThread() {
    return thread == Thread.currentThread();
  }

  /** What it is for, to be named to whoever may not wait for it. */
  public String purpose() {
    return purpose;
  }

  /** Lets the others go on; everything submitted meanwhile has left its marks. */
  public void release() {
    history.lock.lock();
    try {
      history.removeHold(this);
    } finally {
      history.lock.unlock();
    }
  }

  /**
   * Lets the others go on, after what was submitted meanwhile.
   *
   * @param stream on which the holder submitted
   * @param ticket its last submission there; 0 for none
   */
  public void release(OrderedStream stream, long ticket) {
    history.lock.lock();
    try {
      if (ticket > 0) {
        history.mark(from, to, mode, stream, ticket);
      }
      history.removeHold(this);
    } finally {
      history.lock.unlock();
    }
  }
}
