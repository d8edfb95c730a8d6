package org.cuarray.tests.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.tests.conformance.DriverRig.ok;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.cuarray.AllocatorKind;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.CuScope;
import org.cuarray.DType;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.RecordingDriver;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.registry.DeviceContexts;
import org.cuarray.tests.multidevice.CarrierWatch;
import org.cuarray.tests.multidevice.Seeds;
import org.cuarray.tests.multidevice.Threads;
import org.cuarray.tests.multidevice.VirtualThreads;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Virtual threads, where Java has them; the timeout is for hangs. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
class VirtualThreadTest {
  private static final int THREADS = 200;
  private static final int SIZE = 3000;

  private final SimulatedDriver machine = SimulatedDriver.of(Preset.MIXED, 4);
  private final CarrierWatch watch = new CarrierWatch(machine);

  @BeforeAll
  static void requireVirtualThreads() {
    VirtualThreads.require();
  }

  static LongStream seeds() {
    return Seeds.all();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aVirtualThreadStaysOnItsCarrierWhileItHasAContextPushed(long seed) {
    operateTogether(watch.driver(), seed);
    assertThat(watch.moves()).isEmpty();
    assertThat(machine.findings()).isEmpty();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void recordingTheCallsMovesNoThread(long seed) {
    operateTogether(new RecordingDriver(watch.driver()).driver(), seed);
    assertThat(watch.moves()).isEmpty();
  }

  private static void operateTogether(CudaDriver driver, long seed) {
    // Small chunks, so that transfers go in pieces and threads wait for slots and holds.
    try (CuRuntime cuda = CuRuntime.builder().driver(driver).staging(8192, 2).open();
        CuScope scope = cuda.scope()) {
      List<CuArray<Integer>> arrays = new ArrayList<>();
      for (CuDevice device : cuda.devices()) {
        for (AllocatorKind kind : AllocatorKind.values()) {
          arrays.add(scope.keep(device.using(kind).full(DType.INT32, (Integer) 1, SIZE)));
        }
      }
      List<Runnable> threads = new ArrayList<>();
      SplittableRandom seeds = new SplittableRandom(seed);
      for (int i = 0; i < THREADS; i++) {
        SplittableRandom random = seeds.split();
        threads.add(
            () -> {
              for (int k = 0; k < 10; k++) {
                operate(arrays, random);
              }
            });
      }
      Threads.runTogetherOnVirtualThreads(threads);
    }
  }

  @Test
  void theWatchNoticesAThreadThatMoves() {
    assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "a single carrier");
    long context = DeviceContexts.of(watch.driver()).context(0);
    List<Runnable> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      threads.add(
          () -> {
            ok(watch.driver().ctxPushCurrent(context));
            String carrier = VirtualThreads.carrier();
            while (VirtualThreads.carrier().equals(carrier) && watch.moves().isEmpty()) {
              LockSupport.parkNanos(1000);
            }
            ok(watch.driver().ctxPopCurrent(new long[1]));
          });
    }
    Threads.runTogetherOnVirtualThreads(threads);
    assertThat(watch.moves()).isNotEmpty();
  }

  private static void operate(List<CuArray<Integer>> arrays, SplittableRandom random) {
    CuArray<Integer> one = arrays.get(random.nextInt(arrays.size()));
    CuArray<Integer> other = arrays.get(random.nextInt(arrays.size()));
    switch (random.nextInt(6)) {
      case 0 -> one.fill((Integer) random.nextInt());
      case 1 -> assertThat(one.toArray(DType.INT32)).hasSize(SIZE);
      case 2 -> one.copyFrom(DType.INT32, new int[SIZE]);
      case 3 -> {
        try (CuArray<Integer> copy = one.to(other.device())) {
          copy.copyTo(other);
        }
      }
      case 4 -> one.synchronize();
      default -> one.copyTo(other);
    }
  }
}
