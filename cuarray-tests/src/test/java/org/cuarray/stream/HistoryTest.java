package org.cuarray.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.multidevice.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The history of a range of bytes, compared with one that is kept byte by byte. */
class HistoryTest {
  private static final int STREAMS = 5;

  private final SimulatedDriver machine = SimulatedDriver.of(Preset.NVLINK, 2);
  private final List<OrderedStream> streams = new ArrayList<>();
  private final long[] tickets = new long[STREAMS];

  HistoryTest() {
    for (int i = 0; i < STREAMS; i++) {
      streams.add(OrderedStream.create(machine, i % 2, 0));
    }
  }

  static LongStream seeds() {
    return Seeds.all();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void belowTheBoundEveryAccessWaitsForExactlyWhatTouchedItsBytes(long seed) {
    int size = History.MOST_SEGMENTS;
    compare(size, seed, (expected, actual) -> assertThat(actual).isEqualTo(expected));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void pastTheBoundEveryAccessWaitsForThatAtLeast(long seed) {
    int size = 20 * History.MOST_SEGMENTS;
    compare(
        size,
        seed,
        (expected, actual) ->
            expected.forEach(
                (stream, ticket) ->
                    assertThat(actual.getOrDefault(stream, -1L))
                        .as("ticket of %s", stream)
                        .isGreaterThanOrEqualTo(ticket)));
  }

  /** As an operation has it. */
  private static History locked(long bytes) {
    History history = new History(bytes);
    history.lock.lock();
    return history;
  }

  /** Compares what an access is to wait for with what the history says. */
  private interface Comparison {
    void check(Map<OrderedStream, Long> expected, Map<OrderedStream, Long> actual);
  }

  private void compare(int size, long seed, Comparison comparison) {
    SplittableRandom random = new SplittableRandom(seed);
    History history = locked(size);
    NaiveHistory naive = new NaiveHistory(size);
    for (int step = 0; step < 3000; step++) {
      int from = random.nextInt(size);
      int to = from + random.nextInt(1, Math.min(size - from, 1 + random.nextInt(size)) + 1);
      AccessMode mode = random.nextInt(3) == 0 ? AccessMode.WRITE : AccessMode.READ;
      comparison.check(naive.collect(from, to, mode), collected(history, from, to, mode));
      int stream = random.nextInt(STREAMS);
      long ticket = ++tickets[stream];
      history.mark(from, to, mode, streams.get(stream), ticket);
      naive.mark(from, to, mode, streams.get(stream), ticket);
      assertThat(history.segmentCount()).isLessThanOrEqualTo(History.MOST_SEGMENTS);
    }
  }

  private static Map<OrderedStream, Long> collected(
      History history, int from, int to, AccessMode mode) {
    MarkSet marks = new MarkSet();
    history.collect(from, to, mode, marks);
    Map<OrderedStream, Long> all = new HashMap<>();
    for (int i = 0; i < marks.size(); i++) {
      assertThat(all.put(marks.stream(i), marks.ticket(i))).as("one mark a stream").isNull();
    }
    return all;
  }

  @Test
  void bytesThatNobodyTouchedWaitForNothing() {
    assertThat(collected(locked(10), 0, 10, AccessMode.WRITE)).isEmpty();
  }

  @Test
  void aReadWaitsForTheWriteAndNotForOtherReads() {
    History history = locked(10);
    history.mark(0, 10, AccessMode.WRITE, streams.get(0), 1);
    history.mark(0, 10, AccessMode.READ, streams.get(1), 1);
    assertThat(collected(history, 3, 4, AccessMode.READ)).isEqualTo(Map.of(streams.get(0), 1L));
    assertThat(collected(history, 3, 4, AccessMode.WRITE))
        .isEqualTo(Map.of(streams.get(0), 1L, streams.get(1), 1L));
  }

  @Test
  void aWriteEndsTheReadsAndWritesBeforeIt() {
    History history = locked(10);
    history.mark(0, 10, AccessMode.WRITE, streams.get(0), 1);
    history.mark(0, 10, AccessMode.READ, streams.get(1), 1);
    history.mark(0, 10, AccessMode.WRITE, streams.get(2), 1);
    assertThat(collected(history, 0, 10, AccessMode.WRITE)).isEqualTo(Map.of(streams.get(2), 1L));
  }

  @Test
  void segmentsThatHaveBecomeEqualAreOneAgain() {
    History history = locked(100);
    for (int i = 0; i < 100; i += 10) {
      history.mark(i, i + 10, AccessMode.WRITE, streams.get(0), i + 1);
    }
    assertThat(history.segmentCount()).isEqualTo(10);
    history.mark(0, 100, AccessMode.WRITE, streams.get(1), 1);
    assertThat(history.segmentCount()).isEqualTo(1);
    history.mark(40, 60, AccessMode.READ, streams.get(2), 1);
    assertThat(history.segmentCount()).isEqualTo(3);
    history.mark(0, 100, AccessMode.READ, streams.get(2), 2);
    assertThat(history.segmentCount()).isEqualTo(1);
  }

  @Test
  void positionsPastTwoToTheThirtyTwoAreKeptApart() {
    long size = 5L << 30;
    History history = locked(size);
    history.mark(0, 1L << 32, AccessMode.WRITE, streams.get(0), 1);
    history.mark(1L << 32, size, AccessMode.WRITE, streams.get(1), 1);
    MarkSet below = new MarkSet();
    history.collect((1L << 32) - 1, 1L << 32, AccessMode.READ, below);
    MarkSet above = new MarkSet();
    history.collect(1L << 32, (1L << 32) + 1, AccessMode.READ, above);
    assertThat(below.size()).isEqualTo(1);
    assertThat(below.stream(0)).isSameAs(streams.get(0));
    assertThat(above.size()).isEqualTo(1);
    assertThat(above.stream(0)).isSameAs(streams.get(1));
  }

  @Test
  void anAccessToNoBytesLeavesNoMark() {
    History history = locked(10);
    history.mark(5, 5, AccessMode.WRITE, streams.get(0), 1);
    assertThat(history.segmentCount()).isEqualTo(1);
    assertThat(collected(history, 0, 10, AccessMode.WRITE)).isEmpty();
  }
}
