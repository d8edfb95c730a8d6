package org.cuarray.tests.jmh;

import static org.cuarray.DType.FLOAT32;

import java.util.concurrent.TimeUnit;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
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

/** Making and dropping arrays, with driver calls that cost nothing. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class AllocationBenchmark {
  private QuietDriver driver;
  private CuRuntime cuda;
  private CuDevice device;
  private CuArray<Float> array;

  /** Makes pool and streams while the driver still makes any. */
  @Setup
  public void open() {
    driver = new QuietDriver(SimulatedDriver.of(Preset.NVLINK, 1));
    cuda = CuRuntime.open(driver);
    device = cuda.device(0);
    array = device.zeros(FLOAT32, 1024);
    for (int i = 0; i < QuietDriver.ENOUGH; i++) {
      device.empty(FLOAT32, 1024).close();
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

  /** From the pool, and back. */
  @Benchmark
  public void allocateAndClose() {
    device.empty(FLOAT32, 1024).close();
  }

  /** A view, which is not closed. */
  @Benchmark
  public CuArray<Float> slice() {
    return array.slice(10, 20);
  }

  /** Another owner. */
  @Benchmark
  public void retainAndClose() {
    array.retain().close();
  }
}
