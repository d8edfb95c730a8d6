package org.cuarray.cli.bench;

import static org.cuarray.DType.INT8;

import java.util.List;
import org.cuarray.AllocatorKind;
import org.cuarray.CuDevice;
import org.cuarray.driver.CudaDriver;

/**
 * Allocating and closing, many times in a row. Closing classic memory hands it to a thread of the
 * library, so that figure is what the caller waits for.
 */
final class AllocationWork implements Work {
  static final String STREAM_ORDERED = "stream-ordered allocate + close";
  static final String RAW_POOL = "raw allocate + free from a pool";
  private static final String CLASSIC = "classic allocate + close";
  private static final String RAW_CLASSIC = "raw allocate + free";
  private static final List<Long> SIZES = List.of(4L << 10, 64L << 20);

  /** Few enough for the memory of all of them to be there at once. */
  private static int times(long bytes) {
    return bytes > 1 << 20 ? 16 : Batch.MOST;
  }

  private final Rig rig;
  private final int device;
  private final AllocatorKind kind;
  private final List<Subject> subjects;

  AllocationWork(Rig rig, int device, AllocatorKind kind) {
    this.rig = rig;
    this.device = device;
    this.kind = kind;
    this.subjects =
        SIZES.stream()
            .map(
                bytes ->
                    Subject.on(
                        device,
                        Row.ALLOCATE,
                        kind == AllocatorKind.CLASSIC ? CLASSIC : STREAM_ORDERED,
                        bytes,
                        Unit.MICROSECONDS))
            .toList();
  }

  @Override
  public List<Subject> subjects() {
    return subjects;
  }

  @Override
  public void run(Recorder recorder) {
    CuDevice on = device(rig, device, kind);
    try (RawDriver raw = rig.raw()) {
      long stream = raw.stream(device);
      long pool = kind == AllocatorKind.CLASSIC ? 0 : raw.pool(device);
      for (Subject subject : subjects) {
        long bytes = subject.bytes();
        recorder.measure(
            subject,
            pace(subject),
            Way.ofCuarray(() -> cuarray(on, bytes)),
            kind == AllocatorKind.CLASSIC
                ? new Way(RAW_CLASSIC, () -> classic(raw, bytes))
                : new Way(RAW_POOL, () -> fromPool(raw, bytes, pool, stream)));
      }
    }
  }

  private Pace pace(Subject subject) {
    boolean isFirst =
        device == 0 && kind == AllocatorKind.STREAM_ORDERED && subject.equals(subjects.get(0));
    return isFirst ? rig.effort().ofLatency() : rig.effort().ofWarmLatency();
  }

  private static CuDevice device(Rig rig, int ordinal, AllocatorKind kind) {
    try {
      return rig.device(ordinal).using(kind);
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  private double cuarray(CuDevice on, long bytes) {
    int times = times(bytes);
    long start = System.nanoTime();
    for (int i = 0; i < times; i++) {
      on.empty(INT8, bytes).close();
    }
    long nanos = System.nanoTime() - start;
    rig.cuda().synchronize();
    return (double) nanos / times;
  }

  private double fromPool(RawDriver raw, long bytes, long pool, long stream) {
    CudaDriver driver = raw.calls();
    long[] pointer = new long[1];
    raw.enter(device);
    int statuses = 0;
    int times = times(bytes);
    long start = System.nanoTime();
    for (int i = 0; i < times; i++) {
      statuses |= driver.memAllocFromPoolAsync(pointer, bytes, pool, stream);
      statuses |= driver.memFreeAsync(pointer[0], stream);
    }
    long nanos = System.nanoTime() - start;
    raw.leave();
    RawDriver.check(statuses, "a series of cuMemAllocFromPoolAsync and cuMemFreeAsync", device);
    raw.synchronize(stream, device);
    return (double) nanos / times;
  }

  private double classic(RawDriver raw, long bytes) {
    CudaDriver driver = raw.calls();
    long[] pointer = new long[1];
    raw.enter(device);
    int statuses = 0;
    int times = times(bytes);
    long start = System.nanoTime();
    for (int i = 0; i < times; i++) {
      statuses |= driver.memAlloc(pointer, bytes);
      statuses |= driver.memFree(pointer[0]);
    }
    long nanos = System.nanoTime() - start;
    raw.leave();
    RawDriver.check(statuses, "a series of cuMemAlloc and cuMemFree", device);
    return (double) nanos / times;
  }
}
