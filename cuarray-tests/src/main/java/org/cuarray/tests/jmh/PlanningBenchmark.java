package org.cuarray.tests.jmh;

import java.util.concurrent.TimeUnit;
import org.cuarray.MemoryKind;
import org.cuarray.PeerPolicy;
import org.cuarray.copy.CopyPlanner;
import org.cuarray.copy.Route;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.memory.Residence;
import org.cuarray.memory.Residences;
import org.cuarray.registry.DeviceContexts;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Which way a copy goes: the look-up that every copy makes. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class PlanningBenchmark {
  /** Each ordered pair of devices has a route of its own. */
  @Param({"2", "16"})
  private int devices;

  private CopyPlanner planner;
  private Residence[] residences;
  private int next;

  /** Decides every route once, on a machine whose links need no proof because there are none. */
  @Setup
  public void decide() {
    CudaDriver driver = SimulatedDriver.of(Preset.PCIE, devices);
    DeviceContexts contexts = DeviceContexts.of(driver);
    planner = new CopyPlanner(driver, PeerPolicy.AUTO);
    residences = new Residence[devices];
    for (int i = 0; i < devices; i++) {
      residences[i] = Residences.of(driver).of(i, contexts.context(i), MemoryKind.CLASSIC, 0);
    }
    for (Residence source : residences) {
      for (Residence destination : residences) {
        Route unused = planner.route(source, destination);
      }
    }
  }

  /** The same pair again and again. */
  @Benchmark
  public Route samePair() {
    return planner.route(residences[0], residences[1]);
  }

  /** Another pair each time. */
  @Benchmark
  public Route changingPairs() {
    next++;
    return planner.route(residences[next % devices], residences[(next / devices) % devices]);
  }
}
