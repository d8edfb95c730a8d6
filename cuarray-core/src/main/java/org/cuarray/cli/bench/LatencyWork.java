package org.cuarray.cli.bench;

import java.util.List;
import org.cuarray.CuArray;

/** A 4 KiB copy over a peer link, waited for before the next one. */
final class LatencyWork implements Work {
  private static final String LATENCY = "peer copy, submit and wait";
  private static final String RAW = "raw copy call, wait for the stream";
  private static final int COPIES = 32;

  private final Rig rig;
  private final Pair pair;
  private final Subject subject;

  LatencyWork(Rig rig, Pair pair) {
    this.rig = rig;
    this.pair = pair;
    this.subject = Subject.between(pair, Row.LATENCY, LATENCY, SmallPair.BYTES, Unit.MICROSECONDS);
  }

  @Override
  public List<Subject> subjects() {
    return List.of(subject);
  }

  @Override
  public void run(Recorder recorder) {
    try (SmallPair small = new SmallPair(rig, pair)) {
      recorder.measure(
          subject,
          rig.effort().ofLatency(pair),
          Way.ofCuarray(() -> cuarray(small)),
          new Way(RAW, () -> raw(small)));
    }
  }

  private static double cuarray(SmallPair small) {
    CuArray<Byte> here = small.here();
    CuArray<Byte> there = small.there();
    long start = System.nanoTime();
    for (int i = 0; i < COPIES; i++) {
      here.copyTo(there);
      there.synchronize();
    }
    return (double) (System.nanoTime() - start) / COPIES;
  }

  private static double raw(SmallPair small) {
    small.enter();
    int statuses = 0;
    long start = System.nanoTime();
    for (int i = 0; i < COPIES; i++) {
      statuses |= small.copyThere();
      statuses |= small.awaitHere();
    }
    long nanos = System.nanoTime() - start;
    small.leave(statuses);
    return (double) nanos / COPIES;
  }
}
