package org.cuarray.cli.bench;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Two different devices, and a direction.
 *
 * @param from ordinal of the device that sends
 * @param to ordinal of the device that receives
 */
record Pair(int from, int to) {

  /** Every ordered pair of some devices. */
  static List<Pair> all(int devices) {
    return IntStream.range(0, devices)
        .boxed()
        .flatMap(
            from ->
                IntStream.range(0, devices)
                    .filter(to -> to != from)
                    .mapToObj(to -> new Pair(from, to)))
        .toList();
  }

  Pair reversed() {
    return new Pair(to, from);
  }

  /** Of a pair and its reverse, one: what is measured both ways at once is measured once. */
  boolean isForward() {
    return from < to;
  }

  boolean isFirst() {
    return from == 0 && to == 1;
  }
}
