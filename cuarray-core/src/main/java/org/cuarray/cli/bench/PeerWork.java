package org.cuarray.cli.bench;

import java.util.ArrayList;
import java.util.List;
import org.cuarray.AllocatorKind;
import org.cuarray.CuDevice;

/** Large copies from one device to another over the peer link, one way and both ways at once. */
final class PeerWork implements Work {
  static final String POOL = "peer copy, pool → pool";
  private static final String CLASSIC = "peer copy, classic → classic";
  private static final String BOTH = "peer copies both ways at once, pool → pool";

  private final Rig rig;
  private final Pair pair;
  private final Subject pool;
  private final Subject classic;
  private final Subject both;

  PeerWork(Rig rig, Pair pair) {
    this.rig = rig;
    this.pair = pair;
    this.pool = subject(POOL);
    this.classic = subject(CLASSIC);
    this.both = subject(BOTH);
  }

  private Subject subject(String work) {
    return Subject.between(pair, Row.PEER, work, rig.largeBytes(), Unit.GIGABYTES_PER_SECOND);
  }

  @Override
  public List<Subject> subjects() {
    return pair.isForward() ? List.of(pool, classic, both) : List.of(pool, classic);
  }

  @Override
  public void run(Recorder recorder) {
    CuDevice from = rig.device(pair.from());
    CuDevice to = rig.device(pair.to());
    oneWay(recorder, pool, from, to);
    oneWay(recorder, classic, from.using(AllocatorKind.CLASSIC), to.using(AllocatorKind.CLASSIC));
    if (pair.isForward()) {
      try (CopyPair there = new CopyPair(rig, from, to, both.bytes());
          CopyPair back = new CopyPair(rig, to, from, both.bytes())) {
        measure(recorder, both, List.of(there, back));
      }
    }
  }

  private void oneWay(Recorder recorder, Subject subject, CuDevice from, CuDevice to) {
    try (CopyPair copy = new CopyPair(rig, from, to, subject.bytes())) {
      measure(recorder, subject, List.of(copy));
    }
  }

  private void measure(Recorder recorder, Subject subject, List<CopyPair> copies) {
    for (CopyPair copy : copies) {
      Rig.requirePeer(copy.source(), copy.destination());
    }
    int times = Batch.size(copies);
    List<Way> ways = new ArrayList<>();
    ways.add(Way.ofCuarray(() -> Bandwidth.cuarray(copies, times)));
    ways.add(new Way(SubmitWork.RAW_COPY, () -> Bandwidth.raw(copies, times)));
    recorder.measure(subject, rig.effort().ofBandwidth(), ways.toArray(new Way[0]));
    copies.forEach(CopyPair::requireDelivery);
  }
}
