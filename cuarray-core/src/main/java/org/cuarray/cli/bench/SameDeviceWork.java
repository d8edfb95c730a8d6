package org.cuarray.cli.bench;

import java.util.List;
import org.cuarray.CuDevice;

/** Large copies within one device. */
final class SameDeviceWork implements Work {
  static final String WITHIN = "copy within a device";

  private final Rig rig;
  private final int device;
  private final Subject subject;

  SameDeviceWork(Rig rig, int device) {
    this.rig = rig;
    this.device = device;
    this.subject =
        Subject.on(device, Row.PEER, WITHIN, rig.largeBytes(), Unit.GIGABYTES_PER_SECOND);
  }

  @Override
  public List<Subject> subjects() {
    return List.of(subject);
  }

  @Override
  public void run(Recorder recorder) {
    CuDevice on = rig.device(device);
    try (CopyPair copy = new CopyPair(rig, on, on, subject.bytes())) {
      List<CopyPair> copies = List.of(copy);
      int times = Batch.size(copies);
      recorder.measure(
          subject,
          rig.effort().ofBandwidth(),
          Way.ofCuarray(() -> Bandwidth.cuarray(copies, times)),
          new Way(SubmitWork.RAW_COPY, () -> raw(copy, times)));
      copy.requireDelivery();
    }
  }

  private static double raw(CopyPair copy, int times) {
    copy.enter();
    int statuses = 0;
    long start = System.nanoTime();
    for (int i = 0; i < times; i++) {
      statuses |= copy.copyRawWithinDevice();
    }
    statuses |= copy.awaitRaw();
    long nanos = System.nanoTime() - start;
    copy.leave(statuses);
    return (double) nanos / times;
  }
}
