package org.cuarray.memory;

import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.cuarray.CuClosedException;
import org.cuarray.stream.HostWaits;
import org.cuarray.stream.Operation;
import org.cuarray.stream.OrderedStream;
import org.jspecify.annotations.Nullable;

/**
 * A piece of host memory that transfers pass through, and the last submission that uses it. Whoever
 * uses it next comes after that.
 */
public final class StagingSlot {
  private final ReentrantLock lock = new ReentrantLock();
  private final long address;
  private final ByteBuffer buffer;
  private @Nullable OrderedStream lastStream;
  private long lastTicket;
  private boolean retired;

  StagingSlot(long address, ByteBuffer buffer) {
    this.address = address;
    this.buffer = buffer;
  }

  /**
   * Before submissions are appended to the slot's uses by one of several threads that share it.
   *
   * @throws CuClosedException where the memory has gone
   */
  public void begin() {
    lock.lock();
    if (retired) {
      lock.unlock();
      throw new CuClosedException("the runtime that the copy was made with was closed");
    }
  }

  /** Ends what {@link #begin} began. */
  public void end() {
    lock.unlock();
  }

  /**
   * Ends the use of the slot; returns when its last use has completed.
   *
   * @return false where the driver would not say
   */
  boolean retire() {
    lock.lock();
    try {
      retired = true;
      return lastStream == null || HostWaits.of(lastStream, lastTicket).awaitEnd();
    } finally {
      lock.unlock();
    }
  }

  /** First address. */
  public long address() {
    return address;
  }

  /**
   * The slot's first bytes, for Java to fill or to read.
   *
   * @param bytes how many
   * @return a view of its own, in native order
   */
  public ByteBuffer buffer(int bytes) {
    return buffer.slice(0, bytes).order(java.nio.ByteOrder.nativeOrder());
  }

  /** The next submission of a step comes after the slot's last use. */
  public void orderAfterLastUse(Operation step) {
    if (lastStream != null) {
      step.afterLastUse(lastStream, lastTicket);
    }
  }

  /** Blocks the host until the slot's last use has completed. */
  public void awaitLastUse() {
    if (lastStream != null) {
      lastStream.hostWait(lastTicket);
    }
  }

  /** Enters a use. */
  public void usedBy(OrderedStream stream, long ticket) {
    lastStream = stream;
    lastTicket = ticket;
  }
}
