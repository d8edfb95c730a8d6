package org.cuarray.tests.jmh;

import static org.cuarray.DType.INT8;

import java.util.concurrent.TimeUnit;
import org.cuarray.CuArray;
import org.cuarray.CuRuntime;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A copy from end to end, with driver calls that cost nothing. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class CopyBenchmark {
  private QuietDriver driver;
  private CuRuntime cuda;
  private CuArray<Byte> here;
  private CuArray<Byte> beside;
  private CuArray<Byte> there;

  /** Proves the link and makes streams and events, before the driver falls silent. */
  @Setup
  public void open() {
    driver = new QuietDriver(SimulatedDriver.of(Preset.NVLINK, 2));
    cuda = CuRuntime.open(driver);
    here = cuda.device(0).zeros(INT8, 4096);
    beside = cuda.device(0).zeros(INT8, 4096);
    there = cuda.device(1).zeros(INT8, 4096);
    for (int i = 0; i < QuietDriver.ENOUGH; i++) {
      here.copyTo(there);
      there.copyTo(here);
      here.copyTo(beside);
    }
    cuda.synchronize();
    driver.hush();
  }

  /** Gives everything back to the machine. */
  @TearDown
  public void close() {
    driver.wake();
    cuda.close();
  }

  /** Again and again over one link. */
  @Benchmark
  public void peerChain() {
    here.copyTo(there);
  }

  /** To and fro: each copy waits for the other device's stream. */
  @Benchmark
  @OperationsPerInvocation(2)
  public void pingPong() {
    here.copyTo(there);
    there.copyTo(here);
  }

  /** Within one device. */
  @Benchmark
  public void sameDevice() {
    here.copyTo(beside);
  }
}
