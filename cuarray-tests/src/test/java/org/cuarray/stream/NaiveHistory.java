package org.cuarray.stream;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What {@link History} is to remember, kept for every byte by itself. */
final class NaiveHistory {
  /** The newest ticket of each stream that wrote a byte last, or read it since. */
  private static final class Marks {
    final Map<OrderedStream, Long> writers = new HashMap<>();
    final Map<OrderedStream, Long> readers = new HashMap<>();
  }

  private final List<Marks> bytes = new ArrayList<>();

  NaiveHistory(int size) {
    for (int i = 0; i < size; i++) {
      bytes.add(new Marks());
    }
  }

  void mark(int from, int to, AccessMode mode, OrderedStream stream, long ticket) {
    for (Marks each : bytes.subList(from, to)) {
      if (mode == AccessMode.READ) {
        each.readers.merge(stream, ticket, Math::max);
      } else {
        each.readers.clear();
        each.writers.clear();
        each.writers.put(stream, ticket);
      }
    }
  }

  /** What an access has to come after. */
  Map<OrderedStream, Long> collect(int from, int to, AccessMode mode) {
    Map<OrderedStream, Long> all = new HashMap<>();
    for (Marks each : bytes.subList(from, to)) {
      each.writers.forEach((stream, ticket) -> all.merge(stream, ticket, Math::max));
      if (mode == AccessMode.WRITE) {
        each.readers.forEach((stream, ticket) -> all.merge(stream, ticket, Math::max));
      }
    }
    return all;
  }
}
