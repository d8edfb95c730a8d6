package org.cuarray.tests.jmh;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.cuarray.MemoryKind;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.registry.Allocation;
import org.cuarray.registry.PointerTable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Pointer look-ups among a million allocations. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class RegistryBenchmark {
  private static final int ALLOCATIONS = 1_000_000;
  private static final long BYTES = 4096;
  private static final long SPACING = 8192;
  private static final long FIRST = 1L << 40;
  private static final int PROBES = 1 << 16;

  private record Piece(long base, long bytes, int ordinal, long context, MemoryKind kind)
      implements Allocation {
    static Piece numbered(long number) {
      return new Piece(FIRST + number * SPACING, BYTES, 0, 1, MemoryKind.CLASSIC);
    }
  }

  private final long[] probes = new long[PROBES];
  private PointerTable table;
  private Allocation another;
  private int next;

  /** Enters all of them, and sorts them in. */
  @Setup
  public void fill() {
    table = PointerTable.of(SimulatedDriver.of(Preset.NVLINK, 1));
    for (long i = 0; i < ALLOCATIONS; i++) {
      table.add(Piece.numbered(i));
    }
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < PROBES; i++) {
      probes[i] = FIRST + random.nextLong(ALLOCATIONS) * SPACING + random.nextLong(BYTES);
    }
    another = Piece.numbered(ALLOCATIONS);
    Allocation unused = table.find(FIRST);
  }

  /** A random address inside a random one. */
  @Benchmark
  public Allocation interiorPointer() {
    return table.find(probes[next++ & (PROBES - 1)]);
  }

  /** An address between two of them. */
  @Benchmark
  public Allocation unknownPointer() {
    return table.find(probes[next++ & (PROBES - 1)] + BYTES);
  }

  /** One more comes and goes, and nobody looks it up. */
  @Benchmark
  public void addAndRemove() {
    table.add(another);
    table.remove(another);
  }

  /** One more comes, is looked up, and goes. */
  @Benchmark
  public Allocation addFindAndRemove() {
    table.add(another);
    Allocation found = table.find(another.base());
    table.remove(another);
    return found;
  }
}
