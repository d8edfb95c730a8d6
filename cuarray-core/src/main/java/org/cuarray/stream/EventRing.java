package org.cuarray.stream;

import java.util.Arrays;
import org.cuarray.driver.CudaDriver;

/**
 * The newest events of a stream: which tickets each covers, and what the stream had been made to
 * wait for when it was recorded. Guarded by the stream's lock.
 */
final class EventRing {
  /** Events kept; an older one is re-recorded and then covers more than it needs to. */
  private static final int SIZE = 16;

  private static final long[] NOTHING = {};

  private final StreamHandle handle;
  private final int flags;
  private final long[] events = new long[SIZE];
  private final long[] tickets = new long[SIZE];
  private final long[][] behind = new long[SIZE][];
  private int newest;
  private int recorded;

  /**
   * An empty ring.
   *
   * @param flags of the events, as for {@code cuEventCreate}
   */
  EventRing(StreamHandle handle, int flags) {
    this.handle = handle;
    this.flags = flags;
    Arrays.fill(behind, NOTHING);
  }

  /** Whether an event recorded so far comes after a ticket. */
  boolean covers(long ticket) {
    return recorded > 0 && tickets[newest] >= ticket;
  }

  /** The position of the earliest event that covers a ticket, where there is one. */
  int covering(long ticket) {
    int best = newest;
    for (int age = 1; age < recorded; age++) {
      int candidate = Math.floorMod(newest - age, SIZE);
      if (tickets[candidate] < ticket) {
        break;
      }
      best = candidate;
    }
    return best;
  }

  /**
   * Records an event.
   *
   * @param submitted the stream's newest ticket
   * @param streamBehind what the stream waits for, which a waiter of the event then waits for too
   * @return its position
   */
  int record(long submitted, long[] streamBehind) {
    int next = recorded == 0 ? 0 : (newest + 1) % SIZE;
    if (events[next] == 0) {
      events[next] = handle.createEvent(flags);
    }
    handle.record(events[next]);
    newest = next;
    recorded = Math.min(recorded + 1, SIZE);
    tickets[next] = submitted;
    if (behind[next].length != streamBehind.length) {
      behind[next] = streamBehind.clone();
    } else {
      System.arraycopy(streamBehind, 0, behind[next], 0, streamBehind.length);
    }
    return next;
  }

  /** The driver's handle of the event at a position. */
  long event(int position) {
    return events[position];
  }

  /** The newest ticket that the event at a position covers. */
  long ticket(int position) {
    return tickets[position];
  }

  /** By stream index: up to which ticket the event at a position comes after that stream. */
  long[] behind(int position) {
    return behind[position];
  }

  /** Destroys all events. */
  void destroy(CudaDriver driver) {
    for (long event : events) {
      if (event != 0) {
        int unused = driver.eventDestroy(event);
      }
    }
  }
}
