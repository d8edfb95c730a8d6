package org.cuarray.stream;

import java.util.Arrays;

/**
 * Up to which ticket of every other stream one stream is known to come after it.
 *
 * <p>Written under the stream's lock. Without it {@link #includes} may say no too often, and never
 * yes too early: what is known stays true.
 */
final class KnownOrder {
  private static final long[] NOTHING = {};

  /** By index of the other stream. */
  private long[] tickets = NOTHING;

  /** Whether it is known to come after a ticket. */
  boolean includes(int stream, long ticket) {
    return includes(tickets, stream, ticket);
  }

  /** Likewise by what was known when an event was recorded. */
  static boolean includes(long[] tickets, int stream, long ticket) {
    return stream < tickets.length && tickets[stream] >= ticket;
  }

  /** By index of the other stream; not to be changed, and changed by {@link #learn}. */
  long[] tickets() {
    return tickets;
  }

  /**
   * Comes after a ticket from now on, and after what comes before that one.
   *
   * @param inherited by index of a stream
   */
  void learn(int stream, long ticket, long[] inherited) {
    int needed = Math.max(stream + 1, inherited.length);
    if (tickets.length < needed) {
      tickets = Arrays.copyOf(tickets, needed);
    }
    for (int i = 0; i < inherited.length; i++) {
      tickets[i] = Math.max(tickets[i], inherited[i]);
    }
    tickets[stream] = Math.max(tickets[stream], ticket);
  }
}
