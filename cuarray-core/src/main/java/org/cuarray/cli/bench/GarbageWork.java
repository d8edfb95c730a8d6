package org.cuarray.cli.bench;

import static org.cuarray.DType.INT8;

import java.util.List;
import org.cuarray.CuArray;
import org.cuarray.CuRuntime;
import org.cuarray.CuScope;
import org.cuarray.PeerPolicy;

/**
 * Bytes that a copy leaves on the Java heap of the calling thread, once everything it needs has
 * been made. Waiting for the copies is not counted.
 */
final class GarbageWork implements Work {
  static final String PEER = "garbage of a peer copy";
  static final String PING_PONG = "garbage of a ping-pong copy";
  static final String STAGED = "garbage of a host-staged copy";
  static final String SAME_DEVICE = "garbage of a copy within a device";
  private static final long SMALL = 4L << 10;

  /** More than one piece of the default staging. */
  private static final long IN_PIECES = 32L << 20;

  /** What is done between two looks at the meter. */
  private interface Copies {
    void make(int times);
  }

  private final Rig rig;
  private final Pair pair;
  private final Subject peer;
  private final Subject pingPong;
  private final Subject sameDevice;
  private final Subject staged;
  private final Subject stagedInPieces;

  GarbageWork(Rig rig, Pair pair) {
    this.rig = rig;
    this.pair = pair;
    this.peer = between(PEER, SMALL);
    this.pingPong = between(PING_PONG, SMALL);
    this.sameDevice = Subject.on(pair.from(), Row.GARBAGE, SAME_DEVICE, SMALL, Unit.HEAP_BYTES);
    this.staged = between(STAGED, SMALL);
    this.stagedInPieces = between(STAGED, Math.min(IN_PIECES, rig.largeBytes()));
  }

  private Subject between(String work, long bytes) {
    return Subject.between(pair, Row.GARBAGE, work, bytes, Unit.HEAP_BYTES);
  }

  @Override
  public List<Subject> subjects() {
    return List.of(staged, stagedInPieces, sameDevice, peer, pingPong);
  }

  @Override
  public void run(Recorder recorder) {
    HeapMeter meter = HeapMeter.ofThisJvm();
    CuRuntime throughHost = rig.forced(PeerPolicy.FORCE_HOST_STAGED);
    measureStaged(recorder, meter, throughHost, staged, Batch.MOST);
    measureStaged(recorder, meter, throughHost, stagedInPieces, 8);
    try (CuScope scope = rig.cuda().scope()) {
      CuArray<Byte> here = scope.keep(rig.device(pair.from()).zeros(INT8, SMALL));
      CuArray<Byte> beside = scope.keep(rig.device(pair.from()).zeros(INT8, SMALL));
      measure(
          recorder,
          meter,
          sameDevice,
          Batch.MOST,
          beside,
          times -> {
            for (int i = 0; i < times; i++) {
              here.copyTo(beside);
            }
          });
      CuArray<Byte> there = scope.keep(rig.device(pair.to()).zeros(INT8, SMALL));
      Rig.requirePeer(here, there);
      measure(
          recorder,
          meter,
          peer,
          Batch.MOST,
          there,
          times -> {
            for (int i = 0; i < times; i++) {
              here.copyTo(there);
            }
          });
      measure(
          recorder,
          meter,
          pingPong,
          Batch.MOST,
          here,
          times -> {
            for (int i = 0; i < times; i += 2) {
              here.copyTo(there);
              there.copyTo(here);
            }
          });
    }
  }

  private void measureStaged(
      Recorder recorder, HeapMeter meter, CuRuntime cuda, Subject subject, int times) {
    long bytes = subject.bytes();
    try (CuArray<Byte> here = cuda.device(pair.from()).zeros(INT8, bytes);
        CuArray<Byte> there = cuda.device(pair.to()).zeros(INT8, bytes)) {
      measure(
          recorder,
          meter,
          subject,
          times,
          there,
          many -> {
            for (int i = 0; i < many; i++) {
              here.copyTo(there);
            }
          });
    }
  }

  private void measure(
      Recorder recorder,
      HeapMeter meter,
      Subject subject,
      int times,
      CuArray<Byte> last,
      Copies copies) {
    recorder.measure(
        subject,
        rig.effort().ofWarmLatency(),
        Way.ofCuarray(
            () -> {
              long before = meter.allocatedBytes();
              copies.make(times);
              long after = meter.allocatedBytes();
              last.synchronize();
              return (double) (after - before) / times;
            }));
  }
}
