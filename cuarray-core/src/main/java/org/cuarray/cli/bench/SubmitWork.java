package org.cuarray.cli.bench;

import java.util.List;
import org.cuarray.CuArray;

/** What the caller pays for a 4 KiB copy over a peer link, {@link Batch#MOST} of them in a row. */
final class SubmitWork implements Work {
  static final String SUBMIT = "peer copy, submit";
  static final String RAW_COPY = "raw copy call";

  private final Rig rig;
  private final Pair pair;
  private final Subject subject;

  SubmitWork(Rig rig, Pair pair) {
    this.rig = rig;
    this.pair = pair;
    this.subject = Subject.between(pair, Row.SUBMIT, SUBMIT, SmallPair.BYTES, Unit.MICROSECONDS);
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
          new Way(RAW_COPY, () -> raw(small)));
    }
  }

  private static double cuarray(SmallPair small) {
    CuArray<Byte> here = small.here();
    CuArray<Byte> there = small.there();
    long start = System.nanoTime();
    for (int i = 0; i < Batch.MOST; i++) {
      here.copyTo(there);
    }
    long nanos = System.nanoTime() - start;
    there.synchronize();
    return (double) nanos / Batch.MOST;
  }

  private static double raw(SmallPair small) {
    small.enter();
    int statuses = 0;
    long start = System.nanoTime();
    for (int i = 0; i < Batch.MOST; i++) {
      statuses |= small.copyThere();
    }
    long nanos = System.nanoTime() - start;
    small.leave(statuses);
    small.synchronizeRaw();
    return (double) nanos / Batch.MOST;
  }
}
