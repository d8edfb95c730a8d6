package org.cuarray.cli.bench;

import java.util.List;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.PeerPolicy;

/**
 * Large copies from one device to another through the host, one way and both ways at once, and how
 * much of the time the caller is kept.
 */
final class StagedWork implements Work {
  static final String ONE_WAY = "host-staged copy, one way";
  private static final String BOTH = "host-staged copies both ways at once";
  static final String SUBMIT = "host-staged copy, submit";
  static final String DOWN = "device-to-host leg alone, pinned";
  static final String UP = "host-to-device leg alone, pinned";
  static final String WHOLE = "the whole copy";
  private static final String ALL_LEGS = "all four legs at once, pinned";

  private final Rig rig;
  private final Pair pair;
  private final Subject oneWay;
  private final Subject both;
  private final Subject submit;

  StagedWork(Rig rig, Pair pair) {
    this.rig = rig;
    this.pair = pair;
    this.oneWay = subject(ONE_WAY, Unit.GIGABYTES_PER_SECOND);
    this.both = subject(BOTH, Unit.GIGABYTES_PER_SECOND);
    this.submit = subject(SUBMIT, Unit.MILLISECONDS);
  }

  private Subject subject(String work, Unit unit) {
    return Subject.between(pair, Row.STAGED, work, rig.largeBytes(), unit);
  }

  @Override
  public List<Subject> subjects() {
    return pair.isForward() ? List.of(oneWay, submit, both) : List.of(oneWay, submit);
  }

  @Override
  public void run(Recorder recorder) {
    long bytes = rig.largeBytes();
    CuRuntime cuda = rig.forced(PeerPolicy.FORCE_HOST_STAGED);
    CuDevice from = cuda.device(pair.from());
    CuDevice to = cuda.device(pair.to());
    try (CopyPair there = new CopyPair(rig, from, to, bytes);
        Legs legs = new Legs(rig, pair, there, bytes)) {
      oneWay(recorder, there, legs);
      submit(recorder, there);
      if (pair.isForward()) {
        try (CopyPair back = new CopyPair(rig, to, from, bytes);
            Legs legsBack = new Legs(rig, pair.reversed(), back, bytes)) {
          both(recorder, List.of(there, back), List.of(legs, legsBack));
        }
      }
      there.requireDelivery();
    }
  }

  private void oneWay(Recorder recorder, CopyPair there, Legs legs) {
    List<CopyPair> copies = List.of(there);
    int times = Batch.size(copies);
    recorder.measure(
        oneWay,
        rig.effort().ofBandwidth(),
        Way.ofCuarray(() -> Bandwidth.cuarray(copies, times)),
        new Way(DOWN, legs::down),
        new Way(UP, legs::up));
    there.requireDelivery();
  }

  private void submit(Recorder recorder, CopyPair there) {
    recorder.measure(
        submit,
        rig.effort().ofBandwidth(),
        Way.ofCuarray(
            () -> {
              long start = System.nanoTime();
              there.copy();
              long nanos = System.nanoTime() - start;
              there.await();
              return nanos;
            }),
        new Way(WHOLE, () -> Bandwidth.cuarray(List.of(there), 1)));
  }

  private void both(Recorder recorder, List<CopyPair> copies, List<Legs> legs) {
    int times = Batch.size(copies);
    recorder.measure(
        both,
        rig.effort().ofBandwidth(),
        Way.ofCuarray(() -> Bandwidth.cuarray(copies, times)),
        new Way(ALL_LEGS, () -> Legs.allAtOnce(legs)));
    copies.forEach(CopyPair::requireDelivery);
  }
}
