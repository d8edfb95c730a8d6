package org.cuarray.tests.jmh;

import java.util.concurrent.TimeUnit;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.registry.DeviceContexts;
import org.cuarray.stream.AccessMode;
import org.cuarray.stream.History;
import org.cuarray.stream.Operation;
import org.cuarray.stream.OrderedStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Taking a place in the order and leaving marks, with driver calls that cost nothing. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class OrderingBenchmark {
  private static final int SLICES = 64;
  private static final long SLICE_BYTES = 4096;

  private QuietDriver driver;
  private OrderedStream stream;
  private OrderedStream otherStream;
  private History history;
  private History otherHistory;
  private History sliced;
  private int turn;

  /** Makes streams and events while the driver still makes any. */
  @Setup
  public void open() {
    driver = new QuietDriver(SimulatedDriver.of(Preset.NVLINK, 2));
    DeviceContexts unused = DeviceContexts.of(driver);
    stream = OrderedStream.create(driver, 0, 0);
    otherStream = OrderedStream.create(driver, 1, 0);
    history = new History(SLICE_BYTES);
    otherHistory = new History(SLICE_BYTES);
    sliced = new History(SLICES * SLICE_BYTES);
    for (int i = 0; i < QuietDriver.ENOUGH; i++) {
      step(stream, history, 0, SLICE_BYTES, otherHistory);
      step(otherStream, history, 0, SLICE_BYTES, otherHistory);
    }
    stream.synchronize();
    otherStream.synchronize();
    driver.hush();
  }

  /** Gives the streams back to the machine. */
  @TearDown
  public void close() {
    driver.wake();
    stream.close();
    otherStream.close();
  }

  /** Everything on one stream: nothing to wait for. */
  @Benchmark
  public long chain() {
    return step(stream, history, 0, SLICE_BYTES, otherHistory);
  }

  /** Two streams in turn on the same bytes: each waits for the other. */
  @Benchmark
  public long alternating() {
    turn++;
    return step((turn & 1) == 0 ? stream : otherStream, history, 0, SLICE_BYTES, otherHistory);
  }

  /** Slices of one array in turn, each with a segment of its own. */
  @Benchmark
  public long slices() {
    turn++;
    long from = turn % SLICES * SLICE_BYTES;
    return step((turn & 1) == 0 ? stream : otherStream, sliced, from, SLICE_BYTES, otherHistory);
  }

  private static long step(OrderedStream on, History written, long from, long bytes, History read) {
    Operation step = Operation.begin();
    try {
      int source = step.touches(read, 0, SLICE_BYTES, AccessMode.READ);
      int target = step.touches(written, from, from + bytes, AccessMode.WRITE);
      step.lock();
      step.after(source);
      step.after(target);
      step.enterLast(on, 1, 2);
      return step.leave();
    } finally {
      step.end();
    }
  }
}
