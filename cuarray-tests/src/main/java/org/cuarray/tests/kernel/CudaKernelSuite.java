package org.cuarray.tests.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
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
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.cuarray.BFloat16;
import org.cuarray.Complex128;
import org.cuarray.Complex64;
import org.cuarray.CuArray;
import org.cuarray.CuCompilationException;
import org.cuarray.CuDevice;
import org.cuarray.CuDriverException;
import org.cuarray.CuKernel;
import org.cuarray.CuModule;
import org.cuarray.CuRuntime;
import org.cuarray.CuStream;
import org.cuarray.Float16;
import org.cuarray.KernelArg;
import org.cuarray.Launch;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.RecordingDriver;
import org.cuarray.driver.javacpp.JavaCppDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Kernels on real GPUs, compiled by NVRTC, which must be there. Skipped without a GPU; what needs
 * two is skipped with one.
 */
@Tag("gpu")
public final class CudaKernelSuite {
  private static final Launch WIDE = Launch.of(264, 256);

  private CudaDriver driver;
  private CuRuntime cuda;
  private long contextBefore;
  private final List<AutoCloseable> opened = new ArrayList<>();

  /** For JUnit. */
  public CudaKernelSuite() {}

  @BeforeEach
  void open() {
    JavaCppDriver.unavailableReason().ifPresent(reason -> assumeTrue(false, reason));
    driver = JavaCppDriver.instance();
    contextBefore = currentContext();
    cuda = CuRuntime.open(driver);
  }

  private long currentContext() {
    long[] context = new long[1];
    assertThat(driver.ctxGetCurrent(context)).isEqualTo(CudaError.SUCCESS);
    return context[0];
  }

  @AfterEach
  void close() throws Exception {
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
    if (cuda != null) {
      cuda.close();
      assertThat(currentContext()).isEqualTo(contextBefore);
    }
  }

  private <C extends AutoCloseable> C keep(C closeable) {
    opened.add(closeable);
    return closeable;
  }

  private CuModule module(String source, String... options) {
    return keep(cuda.compile(source, options));
  }

  private void needTwoDevices() {
    assumeTrue(cuda.devices().size() >= 2, "two GPUs needed");
  }

  // ---- compiling and loading -------------------------------------------------------------------

  private void saxpyIsRight(CuKernel saxpy, CuDevice device) {
    int n = (1 << 20) + 3;
    float[] x = new float[n];
    float[] y = new float[n];
    for (int i = 0; i < n; i++) {
      x[i] = i % 1000;
      y[i] = i % 7;
    }
    try (CuArray<Float> deviceX = device.array(FLOAT32, x);
        CuArray<Float> deviceY = device.array(FLOAT32, y)) {
      saxpy.launch(Launch.over(n), float32(2), read(deviceX), readWrite(deviceY), int64(n));
      float[] result = deviceY.toArray(FLOAT32);
      for (int i = 0; i < n; i++) {
        assertThat(result[i]).isEqualTo(2 * x[i] + y[i]);
      }
    }
  }

  @Test
  void aSourceIsCompiledAndRunsOnEachDevice() {
    CuKernel saxpy = module(KernelSources.SAXPY).kernel("saxpy");
    for (CuDevice device : cuda.devices()) {
      saxpyIsRight(saxpy, device);
    }
  }

  @Test
  void aSourceWithOptionsIsCompiled() {
    saxpyIsRight(
        module("#ifdef WANTED\n" + KernelSources.SAXPY + "\n#endif", "-DWANTED", "--use_fast_math")
            .kernel("saxpy"),
        cuda.device(0));
  }

  @Test
  void ptxIsCompiledFurtherByTheDriver() {
    byte[] ptx =
        driver
            .compiler()
            .compile(KernelSources.SAXPY, 90, List.of("--gpu-architecture=compute_80"));
    assertThat(new String(ptx, StandardCharsets.US_ASCII)).contains(".target sm_80");
    saxpyIsRight(keep(cuda.load(ptx)).kernel("saxpy"), cuda.device(0));
    saxpyIsRight(module(KernelSources.SAXPY, "-arch=compute_80").kernel("saxpy"), cuda.device(0));
  }

  @Test
  void aCubinIsLoadedAsItIs() {
    byte[] cubin = driver.compiler().compile(KernelSources.SAXPY, architecture(), List.of());
    assertThat(cubin).startsWith(0x7F, 'E', 'L', 'F');
    CuModule module = keep(cuda.load(cubin));
    cuda.devices().forEach(device -> saxpyIsRight(module.kernel("saxpy"), device));
  }

  private int architecture() {
    int[] device = new int[1];
    int[] major = new int[1];
    int[] minor = new int[1];
    assertThat(driver.deviceGet(device, 0)).isZero();
    assertThat(driver.deviceGetAttribute(major, 75, device[0])).isZero();
    assertThat(driver.deviceGetAttribute(minor, 76, device[0])).isZero();
    return 10 * major[0] + minor[0];
  }

  @Test
  void aCompilationErrorShowsTheLine() {
    assertThatExceptionOfType(CuCompilationException.class)
        .isThrownBy(
            () -> cuda.compile("extern \"C\" __global__ void k(float *x) {\n  x[0] = yonder;\n}"))
        .withMessageContaining("kernel.cu(2): error: identifier \"yonder\" is undefined")
        .withMessageContaining("x[0] = yonder;");
    assertThatExceptionOfType(CuCompilationException.class)
        .isThrownBy(() -> cuda.compile(KernelSources.SAXPY, "--no-such-option"))
        .withMessageContaining("--no-such-option");
  }

  @Test
  void aModuleThatTheDriverRefusesIsRefusedWithItsLog() {
    String broken =
        ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k() { frob; }\n";
    try (CuArray<Integer> x = cuda.device(0).zeros(INT32, 1)) {
      CuKernel kernel = keep(cuda.load(broken.getBytes(StandardCharsets.US_ASCII))).kernel("k");
      assertThatExceptionOfType(CuDriverException.class)
          .isThrownBy(() -> kernel.launch(Launch.of(1, 1), write(x)))
          .withMessageContaining("cuModuleLoadDataEx failed on cuda:0")
          .withMessageContaining("The driver said: ")
          .satisfies(e -> System.out.println("reading: broken PTX: " + e.getMessage()));
      CuKernel missing = module(KernelSources.SAXPY).kernel("sxapy");
      assertThatExceptionOfType(CuDriverException.class)
          .isThrownBy(() -> missing.launch(Launch.of(1, 1), write(x)))
          .withMessageContaining("\"sxapy\"")
          .satisfies(e -> assertThat(e.code()).isEqualTo(CudaError.NOT_FOUND));
    }
  }

  @Test
  void aModuleIsLoadedOnceOnEachDeviceThatRunsIt() {
    RecordingDriver recording = new RecordingDriver(driver);
    try (CuRuntime recorded = CuRuntime.open(recording.driver());
        CuModule module = recorded.compile(KernelSources.SAXPY)) {
      CuKernel saxpy = module.kernel("saxpy");
      for (int round = 0; round < 3; round++) {
        recorded.devices().forEach(device -> saxpyIsRight(saxpy, device));
      }
      assertThat(recording.calls("cuModuleLoadDataEx")).hasSize(recorded.devices().size());
    }
    assertThat(recording.calls("cuModuleUnload"))
        .hasSize(cuda.devices().size())
        .allSatisfy(call -> assertThat(call.status()).isEqualTo(CudaError.SUCCESS));
  }

  @Test
  void manyThreadsCompileAndLaunch() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(8);
    try (CuArray<Integer> x = cuda.device(0).zeros(INT32, 1000)) {
      List<Future<?>> launches = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        launches.add(
            pool.submit(
                () -> {
                  try (CuModule module = cuda.compile(KernelSources.ORDER)) {
                    CuKernel increment = module.kernel("increment");
                    for (int round = 0; round < 500; round++) {
                      increment.launch(Launch.over(1000), readWrite(x), int64(1000));
                    }
                  }
                }));
      }
      for (Future<?> launch : launches) {
        launch.get();
      }
      assertThat(x.toArray(INT32)).containsOnly(4000);
    } finally {
      pool.shutdownNow();
    }
  }

  // ---- order -----------------------------------------------------------------------------------

  /** Kernel, copy to the other device, kernel, copy back, and so on; nothing waits in between. */
  @ParameterizedTest
  @CsvSource({"1, 3000", "1024, 3000", "1048577, 1000", "16777216, 200"})
  void kernelsAndCopiesBetweenDevicesKeepTheirOrder(int n, int rounds) {
    needTwoDevices();
    CuModule module = module(KernelSources.ORDER);
    CuKernel increment = module.kernel("increment");
    CuKernel slow = module.kernel("slow");
    CuKernel check = module.kernel("check");
    try (CuArray<Integer> a = cuda.device(0).zeros(INT32, n);
        CuArray<Integer> b = cuda.device(1).zeros(INT32, n);
        CuArray<Long> wrongA = cuda.device(0).zeros(INT64, 1);
        CuArray<Long> wrongB = cuda.device(1).zeros(INT64, 1)) {
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
