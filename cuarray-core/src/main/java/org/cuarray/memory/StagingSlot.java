package org.cuarray.memory;

import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.cuarray.stream.Operation;
import org.cuarray.stream.OrderedStream;
import org.jspecify.annotations.Nullable;

/**
 * A piece of host memory that transfers pass through, and the last submission that uses it. Whoever
 * uses it next comes after that.
 */
public final class StagingSlot {
  /** Held while a submission is appended to the slot's uses. */
  public final ReentrantLock lock = new ReentrantLock();

  private final long address;
  private final ByteBuffer buffer;
  private @Nullable OrderedStream lastStream;
  private long lastTicket;

  StagingSlot(long address, ByteBuffer buffer) {
    this.address = address;
    this.buffer = buffer;
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
      step.after(lastStream, lastTicket);
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
