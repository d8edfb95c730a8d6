package org.cuarray.cli.bench;

import java.util.ArrayList;
import java.util.List;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.PeerPolicy;

/** Bandwidth over size between two devices, by one strategy. */
final class CurveWork implements Work {
  static final String PEER = "peer, one way";
  static final String PEER_BOTH = "peer, both ways at once";
  static final String STAGED = "host-staged, one way";
  static final String STAGED_BOTH = "host-staged, both ways at once";

  private final Rig rig;
  private final Pair pair;
  private final PeerPolicy policy;
  private final int points;
  private final List<Subject> oneWay;
  private final List<Subject> both;

  /** Of so many points that all curves have together. */
  CurveWork(Rig rig, Pair pair, PeerPolicy policy, int points) {
    this.rig = rig;
    this.pair = pair;
    this.policy = policy;
    this.points = points;
    boolean isPeer = policy == PeerPolicy.FORCE_PEER;
    this.oneWay = subjects(isPeer ? PEER : STAGED);
    this.both = pair.isForward() ? subjects(isPeer ? PEER_BOTH : STAGED_BOTH) : List.of();
  }

  private List<Subject> subjects(String work) {
    return rig.curveSizes().stream()
        .map(bytes -> Subject.between(pair, Row.CURVE, work, bytes, Unit.GIGABYTES_PER_SECOND))
        .toList();
  }

  @Override
  public List<Subject> subjects() {
    List<Subject> all = new ArrayList<>(oneWay);
    all.addAll(both);
    return all;
  }

  @Override
  public void run(Recorder recorder) {
    long largest = rig.curveSizes().stream().max(Long::compare).orElseThrow();
    CuRuntime cuda = rig.forced(policy);
    CuDevice from = cuda.device(pair.from());
    CuDevice to = cuda.device(pair.to());
    try (CopyPair there = new CopyPair(rig, from, to, largest)) {
      for (Subject subject : oneWay) {
        measure(recorder, subject, List.of(there.first(subject.bytes())));
      }
      if (!both.isEmpty()) {
        try (CopyPair back = new CopyPair(rig, to, from, largest)) {
          for (Subject subject : both) {
            long bytes = subject.bytes();
            measure(recorder, subject, List.of(there.first(bytes), back.first(bytes)));
          }
          back.requireDelivery();
        }
      }
      there.requireDelivery();
    }
  }

  private void measure(Recorder recorder, Subject subject, List<CopyPair> copies) {
    int times = Batch.size(copies);
    Pace pace = rig.effort().ofPoint(points);
    Way cuarray = Way.ofCuarray(() -> Bandwidth.cuarray(copies, times));
    if (policy == PeerPolicy.FORCE_PEER) {
      Way raw = new Way(SubmitWork.RAW_COPY, () -> Bandwidth.raw(copies, times));
      recorder.measure(subject, pace, cuarray, raw);
    } else {
      recorder.measure(subject, pace, cuarray);
    }
  }
}
