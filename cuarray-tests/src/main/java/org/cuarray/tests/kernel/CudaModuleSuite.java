package org.cuarray.tests.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.cuarray.Access.read;
import static org.cuarray.Access.readWrite;
import static org.cuarray.Access.write;
import static org.cuarray.DType.FLOAT32;
import static org.cuarray.DType.INT32;
import static org.cuarray.KernelArg.float32;
import static org.cuarray.KernelArg.int64;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.cuarray.CuArray;
import org.cuarray.CuCompilationException;
import org.cuarray.CuDevice;
import org.cuarray.CuDriverException;
import org.cuarray.CuKernel;
import org.cuarray.CuModule;
import org.cuarray.CuRuntime;
import org.cuarray.Launch;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.RecordingDriver;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Compiling with NVRTC, which must be there, and loading, on real GPUs. */
@Tag("gpu")
public final class CudaModuleSuite extends CudaKernels {

  /** For JUnit. */
  public CudaModuleSuite() {}

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
          .withMessageContaining("The module is a cubin of ")
          .withMessageContaining("has no kernel named \"sxapy\"")
          .withMessageContaining("cuobjdump -symbols")
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
}
