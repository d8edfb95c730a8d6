package org.cuarray.cli.bench;

import static org.cuarray.DType.INT8;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.cuarray.AllocatorKind;
import org.cuarray.CopyPlan;
import org.cuarray.CuArray;
import org.cuarray.CuException;
import org.cuarray.CuRuntime;
import org.cuarray.PeerPolicy;
import org.cuarray.driver.CudaDriver;

/**
 * Measures this library beside the bare driver calls, through the same bindings and in the same
 * run. One thread measures; nothing else should run on the machine.
 */
public final class Benchmark {
  /** Four arrays of the largest size on a device, in the pools of two runtimes, and some room. */
  private static final int SHARE_OF_FREE_MEMORY = 12;

  private final CudaDriver driver;
  private final Effort effort;
  private final Set<Row> rows;
  private final long largeBytes;
  private final List<Long> curveSizes;

  /**
   * A benchmark that has not run yet.
   *
   * @param driver what to measure
   * @param effort how long
   * @param rows which groups
   * @param largeBytes of a large copy; less where the devices have no room for it
   * @param curveSizes sizes of the curves, ascending; those that the devices have no room for are
   *     left out
   */
  public Benchmark(
      CudaDriver driver, Effort effort, Set<Row> rows, long largeBytes, List<Long> curveSizes) {
    this.driver = driver;
    this.effort = effort;
    this.rows = rows;
    this.largeBytes = largeBytes;
    this.curveSizes = List.copyOf(curveSizes);
  }

  /**
   * Measures everything.
   *
   * @param watcher is told of every step
   * @return what came out; what can't be measured on this machine is listed as skipped
   */
  public Report run(Watcher watcher) {
    Instant started = Instant.now();
    long start = System.nanoTime();
    long most = mostBytes();
    List<Long> sizes = curveSizes.stream().filter(size -> size <= most).toList();
    try (Rig rig = new Rig(driver, effort, Math.min(largeBytes, most), sizes)) {
      List<Report.Link> links = links(rig.cuda());
      List<Work> works = works(rig);
      Recorder recorder = new Recorder(watcher, subjects(works));
      for (Work work : works) {
        try {
          work.run(recorder);
        } catch (CuException | IllegalStateException e) {
          recorder.skipRest(work.subjects(), String.valueOf(e.getMessage()));
        }
      }
      return new Report(
          Report.SCHEMA,
          started.truncatedTo(ChronoUnit.SECONDS).toString(),
          (System.nanoTime() - start) / 1e9,
          effort.name(),
          MachineInfo.of(rig.cuda(), driver),
          links,
          recorder.figures(),
          recorder.skipped(),
          Target.results(recorder.figures()));
    }
  }

  private long mostBytes() {
    try (CuRuntime cuda = CuRuntime.open(driver)) {
      long free =
          cuda.devices().stream()
              .mapToLong(device -> device.memoryUsage().free())
              .min()
              .orElseThrow();
      return Math.max(Float.BYTES, Long.highestOneBit(free / SHARE_OF_FREE_MEMORY));
    }
  }

  private static List<Report.Link> links(CuRuntime cuda) {
    List<Report.Link> links = new ArrayList<>();
    for (Pair pair : Pair.all(cuda.devices().size())) {
      try (CuArray<Byte> from = cuda.device(pair.from()).zeros(INT8, 1);
          CuArray<Byte> to = cuda.device(pair.to()).zeros(INT8, 1)) {
        CopyPlan plan = from.planCopyTo(to);
        links.add(new Report.Link(pair.from(), pair.to(), plan.strategy().name(), plan.reason()));
      }
    }
    return links;
  }

  private static int subjects(List<Work> works) {
    return works.stream().mapToInt(work -> work.subjects().size()).sum();
  }

  private List<Work> works(Rig rig) {
    List<Work> works = new ArrayList<>();
    for (Row row : Row.values()) {
      if (rows.contains(row)) {
        works.addAll(works(rig, row));
      }
    }
    return works;
  }

  private List<Work> works(Rig rig, Row row) {
    List<Work> works = new ArrayList<>();
    List<Pair> pairs = rig.pairs();
    List<Pair> forward = pairs.stream().filter(Pair::isForward).toList();
    int[] devices = IntStream.range(0, rig.devices()).toArray();
    switch (row) {
      case SUBMIT -> pairs.forEach(pair -> works.add(new SubmitWork(rig, pair)));
      case LATENCY -> pairs.forEach(pair -> works.add(new LatencyWork(rig, pair)));
      case PINGPONG -> forward.forEach(pair -> works.add(new PingPongWork(rig, pair)));
      case ALLOCATE -> {
        for (int device : devices) {
          works.add(new AllocationWork(rig, device, AllocatorKind.STREAM_ORDERED));
          works.add(new AllocationWork(rig, device, AllocatorKind.CLASSIC));
        }
      }
      case GARBAGE ->
          pairs.stream().limit(1).forEach(pair -> works.add(new GarbageWork(rig, pair)));
      case PEER -> {
        pairs.forEach(pair -> works.add(new PeerWork(rig, pair)));
        for (int device : devices) {
          works.add(new SameDeviceWork(rig, device));
        }
      }
      case STAGED -> pairs.forEach(pair -> works.add(new StagedWork(rig, pair)));
      case HOST -> {
        for (int device : devices) {
          works.add(new HostWork(rig, device));
        }
      }
      case CURVE -> works.addAll(curves(rig, pairs));
    }
    return works;
  }

  private static List<Work> curves(Rig rig, List<Pair> pairs) {
    List<PeerPolicy> policies = List.of(PeerPolicy.FORCE_PEER, PeerPolicy.FORCE_HOST_STAGED);
    int directions = pairs.size() + pairs.size() / 2;
    int points = rig.curveSizes().size() * directions * policies.size();
    List<Work> works = new ArrayList<>();
    for (PeerPolicy policy : policies) {
      for (Pair pair : pairs) {
        works.add(new CurveWork(rig, pair, policy, points));
      }
    }
    return works;
  }
}
