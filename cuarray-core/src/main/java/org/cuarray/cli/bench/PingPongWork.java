package org.cuarray.cli.bench;

import java.util.List;
import org.cuarray.CuArray;

/**
 * 4 KiB to another device and back, again and again: every copy depends on the one before, on the
 * other device's stream.
 *
 * <p>The baseline is what orders one such copy among others whatever they are: record, wait, copy,
 * record, wait. A program that knows that it only ever plays ping-pong needs half of that, which is
 * told as well.
 */
final class PingPongWork implements Work {
  static final String PING_PONG = "ping-pong, until the last copy has arrived";
  private static final String SUBMIT = "ping-pong, submit";
  static final String RAW_ORDERED = "raw record, wait, copy, record, wait";
  static final String RAW_LEAST = "raw copy, record, wait";
  private static final int ROUNDS = Batch.MOST / 2;
  private static final int COPIES = 2 * ROUNDS;

  private final Rig rig;
  private final Pair pair;
  private final Subject whole;
  private final Subject submit;

  PingPongWork(Rig rig, Pair pair) {
    this.rig = rig;
    this.pair = pair;
    this.whole = Subject.between(pair, Row.PINGPONG, PING_PONG, SmallPair.BYTES, Unit.MICROSECONDS);
    this.submit = Subject.between(pair, Row.PINGPONG, SUBMIT, SmallPair.BYTES, Unit.MICROSECONDS);
  }

  @Override
  public List<Subject> subjects() {
    return List.of(whole, submit);
  }

  @Override
  public void run(Recorder recorder) {
    try (SmallPair small = new SmallPair(rig, pair)) {
      recorder.measure(
          whole,
          rig.effort().ofLatency(pair),
          Way.ofCuarray(() -> cuarray(small).arrived),
          new Way(RAW_ORDERED, () -> ordered(small).arrived),
          new Way(RAW_LEAST, () -> least(small).arrived));
      recorder.measure(
          submit,
          rig.effort().ofWarmLatency(),
          Way.ofCuarray(() -> cuarray(small).submitted),
          new Way(RAW_ORDERED, () -> ordered(small).submitted),
          new Way(RAW_LEAST, () -> least(small).submitted));
    }
  }

  /** Nanoseconds a copy, until the last one was submitted and until it had arrived. */
  private record Times(double submitted, double arrived) {
    static Times since(long start, long submitted) {
      long arrived = System.nanoTime();
      return new Times((double) (submitted - start) / COPIES, (double) (arrived - start) / COPIES);
    }
  }

  private static Times cuarray(SmallPair small) {
    CuArray<Byte> here = small.here();
    CuArray<Byte> there = small.there();
    long start = System.nanoTime();
    for (int i = 0; i < ROUNDS; i++) {
      here.copyTo(there);
      there.copyTo(here);
    }
    long submitted = System.nanoTime();
    here.synchronize();
    return Times.since(start, submitted);
  }

  private static Times ordered(SmallPair small) {
    small.enter();
    int statuses = 0;
    long start = System.nanoTime();
    for (int i = 0; i < ROUNDS; i++) {
      statuses |= small.letHereWait();
      statuses |= small.copyThere();
      statuses |= small.letThereWait();
      statuses |= small.letThereWait();
      statuses |= small.copyBack();
      statuses |= small.letHereWait();
    }
    return finish(small, statuses, start);
  }

  private static Times least(SmallPair small) {
    small.enter();
    int statuses = 0;
    long start = System.nanoTime();
    for (int i = 0; i < ROUNDS; i++) {
      statuses |= small.copyThere();
      statuses |= small.letThereWait();
      statuses |= small.copyBack();
      statuses |= small.letHereWait();
    }
    return finish(small, statuses, start);
  }

  private static Times finish(SmallPair small, int statuses, long start) {
    long submitted = System.nanoTime();
    int awaited = small.awaitHere();
    Times times = Times.since(start, submitted);
    small.leave(statuses | awaited);
    return times;
  }
}
