package org.cuarray.tests.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.DType.INT32;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.cuarray.Access;
import org.cuarray.AllocatorKind;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuKernel;
import org.cuarray.CuRuntime;
import org.cuarray.KernelArg;
import org.cuarray.Launch;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.InterceptedDriver;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.multidevice.Threads;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What two threads need for the first time at once is made once. */
class FirstUseTest {
  private static final int LENGTH = 100;

  /** How long the first thread's driver call waits for another thread to make the same call. */
  private static final long PATIENCE_MILLIS = 300;

  /**
   * A first use.
   *
   * @param call the driver call that makes what is needed
   * @param preparation gives what both threads then do
   */
  record FirstUse(String call, Function<CuRuntime, Runnable> preparation) {
    @Override
    public String toString() {
      return call;
    }
  }

  static Stream<FirstUse> uses() {
    return Stream.of(
        new FirstUse(
            "cuDevicePrimaryCtxRetain",
            cuda -> () -> assertThat(cuda.device(1).callInContext(() -> 1)).isEqualTo(1)),
        new FirstUse("cuMemPoolCreate", cuda -> () -> cuda.device(0).empty(INT32, LENGTH).close()),
        new FirstUse(
            "cuStreamCreateWithPriority",
            cuda -> {
              CuDevice device = cuda.device(0).using(AllocatorKind.CLASSIC);
              CuArray<Integer> array = device.empty(INT32, LENGTH);
              return () -> array.fill(1);
            }),
        new FirstUse(
            "cuMemHostAlloc",
            cuda -> {
              CuArray<Integer> array = cuda.device(0).zeros(INT32, LENGTH);
              return () -> array.copyFrom(INT32, new int[LENGTH]);
            }),
        new FirstUse("cuCtxEnablePeerAccess", FirstUseTest::copy),
        // The memory of a proof: the access has a lock of its own, and would be enabled once.
        new FirstUse("cuMemAlloc", FirstUseTest::copy),
        new FirstUse("cuModuleLoadDataEx", FirstUseTest::launch),
        new FirstUse("cuModuleGetFunction", FirstUseTest::launch));
  }

  private static CuArray<Integer> classic(CuDevice device) {
    return device.using(AllocatorKind.CLASSIC).zeros(INT32, LENGTH);
  }

  private static Runnable copy(CuRuntime cuda) {
    CuArray<Integer> source = classic(cuda.device(0));
    CuArray<Integer> destination = classic(cuda.device(1));
    return () -> source.copyTo(destination);
  }

  private static Runnable launch(CuRuntime cuda) {
    byte[] image = ".version 9.0\n.target sm_90\n".getBytes(StandardCharsets.US_ASCII);
    CuKernel kernel = cuda.load(image).kernel("nothing");
    CuArray<Integer> array = cuda.device(0).zeros(INT32, LENGTH);
    return () -> kernel.launch(Launch.over(1), Access.read(array), KernelArg.int32(1));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("uses")
  void isMadeOnceForTwoThreads(FirstUse use) {
    int once = calls(use, 1);
    assertThat(once).isPositive();
    assertThat(calls(use, 2)).isEqualTo(once);
  }

  private static int calls(FirstUse use, int threads) {
    AtomicInteger calls = new AtomicInteger();
    CountDownLatch met = new CountDownLatch(threads);
    CudaDriver driver =
        InterceptedDriver.around(
            SimulatedDriver.builder()
                .preset(Preset.NVLINK)
                .devices(2)
                .kernel("nothing", List.of(8, 4), run -> {})
                .build(),
            (call, arguments, proceed) -> {
              if (call.equals(use.call())) {
                calls.incrementAndGet();
                meet(met);
              }
              return proceed.call();
            });
    try (CuRuntime cuda = CuRuntime.open(driver)) {
      Runnable work = use.preparation().apply(cuda);
      int before = calls.get();
      Threads.runTogether(Collections.nCopies(threads, work));
      return calls.get() - before;
    }
  }

  private static void meet(CountDownLatch met) {
    met.countDown();
    try {
      boolean unused = met.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
