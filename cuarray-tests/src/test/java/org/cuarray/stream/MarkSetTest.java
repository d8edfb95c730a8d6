package org.cuarray.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.api.Test;

/** The newest ticket of each of a few streams. */
class MarkSetTest {
  private final SimulatedDriver machine = SimulatedDriver.of(Preset.NVLINK, 2);
  private final MarkSet marks = new MarkSet();

  private List<OrderedStream> streams(int count) {
    return IntStream.range(0, count).mapToObj(i -> OrderedStream.create(machine, 0, 0)).toList();
  }

  @Test
  void theLaterTicketOfAStreamIsKept() {
    OrderedStream stream = streams(1).get(0);
    marks.add(stream, 3);
    marks.add(stream, 5);
    marks.add(stream, 4);
    assertThat(marks.size()).isEqualTo(1);
    assertThat(marks.ticket(0)).isEqualTo(5);
  }

  @Test
  void manyStreamsAreSortedByTheOrderOfTheirLocks() {
    List<OrderedStream> streams = streams(20);
    for (int i = 19; i >= 0; i--) {
      marks.add(streams.get((7 * i) % 20), i + 1);
    }
    marks.sort();
    List<OrderedStream> sorted = new ArrayList<>();
    for (int i = 0; i < marks.size(); i++) {
      sorted.add(marks.stream(i));
    }
    assertThat(sorted).isEqualTo(streams);
  }

  @Test
  void setsOfTheSameMarksAreTheSameInAnyOrder() {
    List<OrderedStream> streams = streams(2);
    MarkSet other = new MarkSet();
    marks.add(streams.get(0), 1);
    marks.add(streams.get(1), 2);
    other.add(streams.get(1), 2);
    assertThat(marks.hasSame(other)).isFalse();
    other.add(streams.get(0), 1);
    assertThat(marks.hasSame(other)).isTrue();
    other.add(streams.get(0), 2);
    assertThat(marks.hasSame(other)).isFalse();
  }

  @Test
  void marksThatHaveCompletedGiveWayBeforeTheSetGrows() {
    List<OrderedStream> streams = streams(40);
    for (OrderedStream stream : streams) {
      StreamLease.on(stream, "a test").open().close();
      stream.synchronize();
      marks.add(stream, 1);
    }
    assertThat(marks.size()).isLessThan(4);
  }

  @Test
  void marksThatHaveNotCompletedAreNeverLost() {
    List<OrderedStream> streams = streams(40);
    streams.forEach(stream -> marks.add(stream, 1));
    assertThat(marks.size()).isEqualTo(40);
    MarkSet copy = new MarkSet();
    copy.set(marks);
    assertThat(copy.hasSame(marks)).isTrue();
    marks.clear();
    assertThat(marks.size()).isZero();
    assertThat(copy.size()).isEqualTo(40);
  }
}
