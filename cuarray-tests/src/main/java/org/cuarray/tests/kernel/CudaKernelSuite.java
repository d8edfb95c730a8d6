package org.cuarray.tests.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.cuarray.Access.read;
import static org.cuarray.Access.readWrite;
import static org.cuarray.Access.write;
import static org.cuarray.DType.COMPLEX128;
import static org.cuarray.DType.COMPLEX64;
import static org.cuarray.DType.FLOAT32;
import static org.cuarray.DType.FLOAT64;
import static org.cuarray.DType.INT32;
import static org.cuarray.DType.INT64;
import static org.cuarray.KernelArg.float32;
import static org.cuarray.KernelArg.int32;
import static org.cuarray.KernelArg.int64;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.cuarray.BFloat16;
import org.cuarray.Complex128;
import org.cuarray.Complex64;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuKernel;
import org.cuarray.CuModule;
import org.cuarray.CuStream;
import org.cuarray.Float16;
import org.cuarray.KernelArg;
import org.cuarray.Launch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Launches on real GPUs: their order, their arguments, their size and their cost. */
@Tag("gpu")
public final class CudaKernelSuite extends CudaKernels {
  private static final Launch WIDE = Launch.of(264, 256);

  /** For JUnit. */
  public CudaKernelSuite() {}

  // ---- order -----------------------------------------------------------------------------------

  /**
   * Kernel, copy to another device, kernel, copy back, and so on; nothing waits in between. Where
   * there is one GPU, all of it is on that one.
   */
  @ParameterizedTest
  @CsvSource({"1, 3000", "1024, 3000", "1048577, 1000", "16777216, 200"})
  void kernelsAndCopiesBetweenDevicesKeepTheirOrder(int n, int rounds) {
    CuDevice first = cuda.device(0);
    CuDevice last = cuda.device(cuda.devices().size() - 1);
    CuModule module = module(KernelSources.ORDER);
    CuKernel increment = module.kernel("increment");
    CuKernel slow = module.kernel("slow");
    CuKernel check = module.kernel("check");
    try (CuArray<Integer> a = first.zeros(INT32, n);
        CuArray<Integer> b = last.zeros(INT32, n);
        CuArray<Long> wrongA = first.zeros(INT64, 1);
        CuArray<Long> wrongB = last.zeros(INT64, 1)) {
      KernelArg size = int64(n);
      for (int round = 0; round < rounds; round++) {
        if (round % 16 == 0) {
          slow.launch(WIDE, readWrite(a), size, int64(200_000));
        } else {
          increment.launch(WIDE, readWrite(a), size);
        }
        a.copyTo(b);
        check.launch(WIDE, read(b), size, int32(2 * round + 1), readWrite(wrongB));
        if (round % 16 == 8) {
          slow.launch(WIDE, readWrite(b), size, int64(200_000));
        } else {
          increment.launch(WIDE, readWrite(b), size);
        }
        b.copyTo(a);
        check.launch(WIDE, read(a), size, int32(2 * round + 2), readWrite(wrongA));
      }
      assertThat(wrongA.get(0)).isZero();
      assertThat(wrongB.get(0)).isZero();
      assertThat(a.toArray(INT32)).containsOnly(2 * rounds);
      assertThat(b.toArray(INT32)).containsOnly(2 * rounds);
    }
  }

  @Test
  void kernelsOnSeveralStreamsKeepTheirOrder() {
    CuKernel slow = module(KernelSources.ORDER).kernel("slow");
    CuDevice device = cuda.device(0);
    int n = 1 << 16;
    List<CuStream> streams = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      streams.add(keep(device.stream("stream " + i, 0)));
    }
    try (CuArray<Integer> x = device.zeros(INT32, n)) {
      for (int round = 0; round < 1000; round++) {
        slow.launch(streams.get(round % 4), Launch.of(8, 256), readWrite(x), int64(n), int64(1000));
      }
      assertThat(x.toArray(INT32)).containsOnly(1000);
    }
  }

  @Test
  void uploadsAndDownloadsComeInOrder() {
    CuKernel slow = module(KernelSources.ORDER).kernel("slow");
    int n = 1 << 20;
    int[] values = new int[n];
    try (CuArray<Integer> x = cuda.device(0).zeros(INT32, n)) {
      for (int round = 0; round < 50; round++) {
        java.util.Arrays.fill(values, round);
        slow.launch(WIDE, readWrite(x), int64(n), int64(500_000));
        x.copyFrom(INT32, values);
        slow.launch(WIDE, readWrite(x), int64(n), int64(500_000));
        assertThat(x.toArray(INT32)).containsOnly(round + 1);
      }
    }
  }

  @Test
  void arraysAndModulesCanBeClosedWhileTheirKernelRuns() {
    for (int round = 0; round < 20; round++) {
      CuArray<Integer> result = cuda.device(0).zeros(INT32, 1000);
      CuModule module = cuda.compile(KernelSources.ORDER);
      CuArray<Integer> x = cuda.device(0).zeros(INT32, 1000);
      module.kernel("slow").launch(Launch.over(1000), readWrite(x), int64(1000), int64(20_000_000));
      x.copyTo(result);
      module.close();
      x.close();
      assertThat(result.toArray(INT32)).containsOnly(1);
      result.close();
    }
  }

  // ---- arguments and sizes ---------------------------------------------------------------------

  @Test
  void everyKindOfArgumentArrives() {
    CuKernel kernel = module(KernelSources.ARGUMENTS).kernel("arguments");
    try (CuArray<Long> whole = cuda.device(0).zeros(INT64, 10);
        CuArray<Double> real = cuda.device(0).zeros(FLOAT64, 6)) {
      kernel.launch(
          Launch.of(1, 1),
          KernelArg.bool(true),
          write(whole),
          KernelArg.int8(-3),
          KernelArg.uint8(200),
          KernelArg.int16(-4),
          KernelArg.float16(1.5f),
          KernelArg.bfloat16(-2.5f),
          int32(-5),
          int64(Long.MIN_VALUE + 1),
          float32(0.5f),
          KernelArg.float64(Math.PI),
          KernelArg.of(COMPLEX64, new Complex64(7, -8)),
          KernelArg.bool(false),
          KernelArg.of(COMPLEX128, new Complex128(9, -10)),
          KernelArg.int8(11),
          write(real));
      assertThat(whole.toArray(INT64))
          .containsExactly(
              1,
              -3,
              200,
              -4,
              Float16.of(1.5f).bits() & 0xFFFF,
              BFloat16.of(-2.5f).bits() & 0xFFFF,
              -5,
              Long.MIN_VALUE + 1,
              0,
              11);
      assertThat(real.toArray(FLOAT64)).containsExactly(0.5, Math.PI, 7, -8, 9, -10);
    }
  }

  @Test
  void argumentsThatTheKernelDoesNotTakeAreRefused() {
    CuKernel saxpy = module(KernelSources.SAXPY).kernel("saxpy");
    try (CuArray<Float> x = cuda.device(0).zeros(FLOAT32, 1)) {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () -> saxpy.launch(Launch.over(1), float32(1), read(x), readWrite(x), int32(1)))
          .withMessageContaining("[4, 8, 8, 8]")
          .withMessageContaining("argument 3 of 4 bytes");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> saxpy.launch(Launch.over(1), float32(1), read(x)))
          .withMessageContaining("given 2");
      saxpy.launch(Launch.over(0), float32(1), read(x), readWrite(x), int64(0));
      saxpy.launch(Launch.over(1), float32(1), read(x), readWrite(x), int64(1));
      cuda.synchronize();
    }
  }

  @Test
  void gridsAndBlocksHaveThreeDirections() {
    CuKernel where = module(KernelSources.SHARED).kernel("where");
    try (CuArray<Integer> x = cuda.device(0).zeros(INT32, 2)) {
      where.launch(Launch.of(1, 1).grid(2, 3, 4).block(5, 6, 7), write(x));
      assertThat(x.toArray(INT32)).containsExactly(234, 567);
    }
  }

  @Test
  void blocksThatTheKernelDoesNotTakeAreRefused() {
    CuKernel bounded = module(KernelSources.SHARED).kernel("bounded");
    try (CuArray<Integer> x = cuda.device(0).zeros(INT32, 256)) {
      bounded.launch(Launch.of(1, 128), write(x));
      assertThat(x.get(127)).isEqualTo(127);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> bounded.launch(Launch.of(1, 256), write(x)))
          .withMessageContaining("256 threads")
          .withMessageContaining("128");
    }
  }

  @Test
  void aBlockGetsTheSharedMemoryThatItAsksFor() {
    CuKernel reverse = module(KernelSources.SHARED).kernel("reverse");
    int[] shared = new int[1];
    assertThat(driver.deviceGetAttribute(shared, 97, cuda.device(0).ordinal())).isZero();
    // The kernel declares 1 KiB itself.
    int most = shared[0] - 1024;
    int n = 1000;
    try (CuArray<Integer> x = cuda.device(0).zeros(INT32, n)) {
      int[] values = new int[n];
      for (int i = 0; i < n; i++) {
        values[i] = i;
      }
      for (int bytes : new int[] {4 * n, 48 << 10, most}) {
        x.copyFrom(INT32, values);
        reverse.launch(
            Launch.of(1, 512).shared(bytes), readWrite(x), int32(n), int32(bytes / 4 - n));
        int[] reversed = x.toArray(INT32);
        for (int i = 0; i < n; i++) {
          assertThat(reversed[i]).isEqualTo(n - 1 - i);
        }
      }
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  reverse.launch(
                      Launch.of(1, 512).shared(most + 1), readWrite(x), int32(n), int32(0)))
          .withMessageContaining("declares 1024 bytes");
    }
  }

  // ---- cost ------------------------------------------------------------------------------------

  @Test
  void launchesAllocateNothing() {
    CuKernel increment = module(KernelSources.ORDER).kernel("increment");
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (CuArray<Integer> x = cuda.device(0).zeros(INT32, 32)) {
      Launch launch = Launch.of(1, 32);
      KernelArg[] arguments = {readWrite(x), int64(32)};
      long fewest = Long.MAX_VALUE;
      double fastest = Double.MAX_VALUE;
      for (int repetition = 0; repetition < 40; repetition++) {
        long bytes = threads.getCurrentThreadAllocatedBytes();
        long start = System.nanoTime();
        for (int i = 0; i < 500; i++) {
          increment.launch(launch, arguments);
        }
        fastest = Math.min(fastest, (System.nanoTime() - start) / 500e3);
        fewest = Math.min(fewest, threads.getCurrentThreadAllocatedBytes() - bytes);
        x.synchronize();
      }
      System.out.printf("reading: submit of a launch, two arguments: %.2f us%n", fastest);
      assertThat(fewest).as("bytes of 500 launches").isLessThan(500);
      assertThat(x.toArray(INT32)).containsOnly(20_000);
    }
  }
}
