package org.cuarray.stream;

import java.util.Arrays;

/** The newest ticket of each of a few streams. Allocates only when it grows. Not thread-safe. */
final class MarkSet {
  private static final OrderedStream[] NO_STREAMS = {};
  private static final long[] NO_TICKETS = {};

  private OrderedStream[] streams = NO_STREAMS;
  private long[] tickets = NO_TICKETS;
  private int size;

  int size() {
    return size;
  }

  OrderedStream stream(int i) {
    return streams[i];
  }

  long ticket(int i) {
    return tickets[i];
  }

  void clear() {
    Arrays.fill(streams, 0, size, null);
    size = 0;
  }

  /** Leaves one stream, with no ticket. */
  void setOnly(OrderedStream stream) {
    clear();
    include(stream);
  }

  /** Adds a stream with no ticket, unless it is there. Drops nothing, as {@link #add} may. */
  void include(OrderedStream stream) {
    for (int i = 0; i < size; i++) {
      if (streams[i] == stream) {
        return;
      }
    }
    append(stream, 0);
  }

  /** Takes one out; the last takes its place. */
  void remove(int i) {
    size--;
    streams[i] = streams[size];
    tickets[i] = tickets[size];
    streams[size] = null;
  }

  /** Keeps the later of two tickets of one stream. */
  void add(OrderedStream stream, long ticket) {
    for (int i = 0; i < size; i++) {
      if (streams[i] == stream) {
        tickets[i] = Math.max(tickets[i], ticket);
        return;
      }
    }
    if (size == streams.length) {
      dropCompleted();
    }
    append(stream, ticket);
  }

  private void append(OrderedStream stream, long ticket) {
    if (size == streams.length) {
      streams = Arrays.copyOf(streams, 2 * size + 1);
      tickets = Arrays.copyOf(tickets, 2 * size + 1);
    }
    streams[size] = stream;
    tickets[size++] = ticket;
  }

  void addAll(MarkSet other) {
    for (int i = 0; i < other.size; i++) {
      add(other.streams[i], other.tickets[i]);
    }
  }

  void set(MarkSet other) {
    clear();
    addAll(other);
  }

  boolean hasSame(MarkSet other) {
    if (size != other.size) {
      return false;
    }
    for (int i = 0; i < size; i++) {
      if (!other.contains(streams[i], tickets[i])) {
        return false;
      }
    }
    return true;
  }

  private boolean contains(OrderedStream stream, long ticket) {
    for (int i = 0; i < size; i++) {
      if (streams[i] == stream) {
        return tickets[i] == ticket;
      }
    }
    return false;
  }

  /** Sorts by the id of the streams, the order in which their locks are taken. */
  void sort() {
    for (int i = 1; i < size; i++) {
      OrderedStream stream = streams[i];
      long ticket = tickets[i];
      int j = i - 1;
      for (; j >= 0 && streams[j].id() > stream.id(); j--) {
        streams[j + 1] = streams[j];
        tickets[j + 1] = tickets[j];
      }
      streams[j + 1] = stream;
      tickets[j + 1] = ticket;
    }
  }

  private void dropCompleted() {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      if (!streams[i].hasCompleted(tickets[i])) {
        streams[kept] = streams[i];
        tickets[kept++] = tickets[i];
      }
    }
    Arrays.fill(streams, kept, size, null);
    size = kept;
  }
}
