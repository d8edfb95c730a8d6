package org.cuarray.tests.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.cuarray.Access.readWrite;
import static org.cuarray.DType.FLOAT32;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.cuarray.CuArray;
import org.cuarray.CuDriverException;
import org.cuarray.CuKernel;
import org.cuarray.CuModule;
import org.cuarray.CuRuntime;
import org.cuarray.CuStream;
import org.cuarray.Launch;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.RecordingDriver.Call;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When modules are loaded, and when they are unloaded. */
class ModuleLoadingTest {
  private static final String LOAD = "cuModuleLoadDataEx";
  private static final String UNLOAD = "cuModuleUnload";
  private static final Launch THREE = Launch.of(1, 3);

  private final KernelMachine machine = new KernelMachine();

  @AfterEach
  void close() {
    machine.close();
    assertThat(machine.simulated.findings()).isEmpty();
  }

  @Test
  void aModuleIsLoadedOnceOnEachDeviceThatRunsIt() {
    try (CuModule module = machine.cuda.load(KernelMachine.PTX);
        CuArray<Float> a = machine.array(0, 1, 2, 3);
        CuArray<Float> b = machine.array(1, 1, 2, 3)) {
      CuKernel increment = module.kernel("increment");
      CuKernel again = module.kernel("increment");
      assertThat(machine.calls(LOAD)).isEmpty();
      for (int round = 0; round < 3; round++) {
        increment.launch(THREE, readWrite(a));
        again.launch(THREE, readWrite(b));
        increment.launch(THREE, readWrite(b));
      }
      assertThat(machine.calls(LOAD)).hasSize(2);
      assertThat(machine.calls("cuModuleGetFunction")).hasSize(2);
      assertThat(a.toArray(FLOAT32)).containsExactly(4, 5, 6);
      assertThat(b.toArray(FLOAT32)).containsExactly(7, 8, 9);
    }
  }

  @Test
  void manyThreadsLoadItOnce() throws Exception {
    int threads = 8;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try (CuModule module = machine.cuda.load(KernelMachine.PTX);
        CuArray<Float> a = machine.gpu(1).zeros(FLOAT32, 3)) {
      CuKernel increment = module.kernel("increment");
      List<Future<?>> launches = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        launches.add(
            pool.submit(
                () -> {
                  for (int round = 0; round < 50; round++) {
                    increment.launch(THREE, readWrite(a));
                  }
                }));
      }
      for (Future<?> launch : launches) {
        launch.get();
      }
      assertThat(machine.calls(LOAD)).hasSize(1);
      assertThat(a.toArray(FLOAT32)).containsExactly(400, 400, 400);
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void aDeviceThatIsNotUsedGetsNoContext() {
    try (CuModule module = machine.cuda.compile("__global__ void increment(float *x) {}");
        CuArray<Float> b = machine.array(1, 1, 2, 3)) {
      module.kernel("increment").launch(THREE, readWrite(b));
      assertThat(machine.recording.calls("cuDevicePrimaryCtxRetain"))
          .extracting(call -> call.argument(1))
          .containsExactly(1L);
    }
  }

  @Test
  void theCurrentContextIsTheSameAfterwards() {
    long[] context = new long[1];
    try (CuModule module = machine.cuda.load(KernelMachine.PTX);
        CuArray<Float> b = machine.array(1, 1, 2, 3)) {
      module.kernel("increment").launch(THREE, readWrite(b));
      assertThatExceptionOfType(CuDriverException.class)
          .isThrownBy(() -> module.kernel("missing").launch(THREE, readWrite(b)));
      machine.simulated.ctxGetCurrent(context);
      assertThat(context[0]).isZero();
    }
  }

  @Test
  void closingUnloadsItEverywhereOnce() {
    CuModule module = machine.cuda.load(KernelMachine.PTX);
    try (CuArray<Float> a = machine.array(0, 1, 2, 3);
        CuArray<Float> b = machine.array(1, 1, 2, 3)) {
      module.kernel("increment").launch(THREE, readWrite(a));
      module.kernel("increment").launch(THREE, readWrite(b));
      assertThat(module.isClosed()).isFalse();
      module.close();
      module.close();
      assertThat(module.isClosed()).isTrue();
    }
    machine.cuda.close();
    assertThat(machine.calls(UNLOAD)).hasSize(2);
  }

  @Test
  void unloadingComesAfterTheLaunchesHaveCompleted() throws InterruptedException {
    CuModule module = machine.cuda.load(KernelMachine.PTX);
    try (CuArray<Float> a = machine.array(0, 1, 2, 3)) {
      module.kernel("increment").launch(THREE, readWrite(a));
      module.close();
      // Closing the runtime would itself wait for the launch.
      for (int i = 0; i < 1000 && machine.calls(UNLOAD).isEmpty(); i++) {
        Thread.sleep(10);
      }
    }
    List<Call> calls = machine.recording.calls();
    int launched = lastIndexOf("cuLaunchKernel", calls);
    int waited = lastIndexOf("cuEventSynchronize", calls);
    int unloaded = lastIndexOf(UNLOAD, calls);
    assertThat(launched).isLessThan(waited);
    assertThat(waited).isLessThan(unloaded);
  }

  @Test
  void unloadingComesAfterTheLaunchesOfEveryStream() throws InterruptedException {
    CuModule module = machine.cuda.load(KernelMachine.PTX);
    try (CuStream other = machine.gpu(0).stream();
        CuArray<Float> a = machine.array(0, 1, 2, 3);
        CuArray<Float> b = machine.array(0, 1, 2, 3)) {
      module.kernel("increment").launch(THREE, readWrite(a));
      module.kernel("increment").launch(other, THREE, readWrite(b));
      machine.recording.clear();
      module.close();
      for (int i = 0; i < 1000 && machine.calls(UNLOAD).isEmpty(); i++) {
        Thread.sleep(10);
      }
      assertThat(machine.calls("cuEventSynchronize", UNLOAD))
          .containsExactly("cuEventSynchronize", "cuEventSynchronize", UNLOAD);
    }
  }

  @Test
  void aStreamOfAnotherContextGetsTheModuleThere() {
    long[] context = new long[1];
    long[] handle = new long[1];
    try (CuModule module = machine.cuda.load(KernelMachine.PTX);
        CuArray<Float> a = machine.array(0, 1, 2, 3)) {
      assertThat(machine.simulated.ctxCreate(context, 0, 0)).isZero();
      assertThat(machine.simulated.streamCreateWithPriority(handle, 1, 0)).isZero();
      assertThat(machine.simulated.ctxPopCurrent(new long[1])).isZero();
      CuKernel increment = module.kernel("increment");
      try (CuStream wrapped = machine.gpu(0).wrapStream(handle[0])) {
        for (int round = 0; round < 2; round++) {
          increment.launch(THREE, readWrite(a));
          increment.launch(wrapped, THREE, readWrite(a));
        }
        assertThat(a.toArray(FLOAT32)).containsExactly(5, 6, 7);
      }
      assertThat(machine.calls(LOAD)).hasSize(2);
    }
    assertThat(machine.simulated.ctxDestroy(context[0])).isZero();
  }

  private static int lastIndexOf(String name, List<Call> calls) {
    return calls.stream().map(Call::name).toList().lastIndexOf(name);
  }

  @Test
  void closingTheRuntimeUnloadsWhatWasForgotten() {
    CuModule module = machine.cuda.load(KernelMachine.PTX);
    try (CuArray<Float> a = machine.array(0, 1, 2, 3)) {
      module.kernel("increment").launch(THREE, readWrite(a));
    }
    machine.cuda.close();
    assertThat(machine.calls(UNLOAD)).hasSize(1);
    assertThat(module.isClosed()).isTrue();
  }

  @Test
  void aKernelWithoutABodySaysHowToGiveItOne() {
    try (CuModule module = machine.cuda.load(KernelMachine.PTX);
        CuArray<Float> a = machine.array(0, 1, 2, 3)) {
      CuKernel missing = module.kernel("sxapy");
      assertThatExceptionOfType(CuDriverException.class)
          .isThrownBy(() -> missing.launch(THREE, readWrite(a)))
          .withMessageContaining("cuModuleGetFunction failed on cuda:0")
          .withMessageContaining("The module is PTX of 27 bytes and has no kernel named \"sxapy\"")
          .withMessageContaining("SimulatedDriver.builder().kernel(")
          .satisfies(e -> assertThat(e.code()).isEqualTo(CudaError.NOT_FOUND));
    }
  }

  @Test
  void aKernelThatIsNotInTheCodeSaysWhereItsNamesAreShown() {
    try (CuRuntime cuda = CuRuntime.open(describedAsHardware(machine.simulated));
        CuModule module = cuda.load(KernelMachine.PTX);
        CuArray<Float> a = cuda.device(0).zeros(FLOAT32, 3)) {
      CuKernel missing = module.kernel("sxapy");
      assertThatExceptionOfType(CuDriverException.class)
          .isThrownBy(() -> missing.launch(THREE, readWrite(a)))
          .withMessageContaining("The module is PTX of 27 bytes and has no kernel named \"sxapy\"")
          .withMessageContaining("extern \"C\"")
          .withMessageContaining("cuobjdump -symbols");
    }
  }

  /** The simulated machine, which does not say that it is one. */
  private static CudaDriver describedAsHardware(CudaDriver simulated) {
    return (CudaDriver)
        Proxy.newProxyInstance(
            CudaDriver.class.getClassLoader(),
            new Class<?>[] {CudaDriver.class},
            (proxy, method, arguments) ->
                method.getName().equals("description")
                    ? "2 GPUs"
                    : method.invoke(simulated, arguments));
  }

  @Test
  void whatIsNoModuleSaysWhatItLooksLike() {
    byte[] source = "extern \"C\" __global__ void k() {}".getBytes(StandardCharsets.US_ASCII);
    try (CuModule module = machine.cuda.load(source);
        CuArray<Float> a = machine.array(0, 1, 2, 3)) {
      assertThatExceptionOfType(CuDriverException.class)
          .isThrownBy(() -> module.kernel("k").launch(THREE, readWrite(a)))
          .withMessageContaining("cuModuleLoadDataEx")
          .withMessageContaining("CuRuntime.compile")
          .withMessageContaining("The driver said: a simulated machine takes")
          .satisfies(e -> assertThat(e.code()).isEqualTo(CudaError.INVALID_IMAGE));
    }
    assertThatIllegalArgumentException().isThrownBy(() -> machine.cuda.load(new byte[0]));
  }

  @Test
  void aFailedLoadIsTriedAgain() {
    machine.simulated.failFromNow(LOAD, 1, CudaError.OUT_OF_MEMORY);
    try (CuModule module = machine.cuda.load(KernelMachine.PTX);
        CuArray<Float> a = machine.array(0, 1, 2, 3)) {
      CuKernel increment = module.kernel("increment");
      assertThatExceptionOfType(CuDriverException.class)
          .isThrownBy(() -> increment.launch(THREE, readWrite(a)));
      increment.launch(THREE, readWrite(a));
      assertThat(a.toArray(FLOAT32)).containsExactly(2, 3, 4);
    }
  }

  @Test
  void aFailedLaunchNamesKernelSizeAndArguments() {
    machine.simulated.failFromNow("cuLaunchKernel", 1, CudaError.INVALID_VALUE);
    try (CuModule module = machine.cuda.load(KernelMachine.PTX);
        CuArray<Float> a = machine.array(0, 1, 2, 3)) {
      CuKernel increment = module.kernel("increment");
      assertThatExceptionOfType(CuDriverException.class)
          .isThrownBy(() -> increment.launch(THREE, readWrite(a)))
          .withMessageContaining("cuLaunchKernel failed on cuda:0")
          .withMessageContaining("Kernel increment, grid [1, 1, 1] of blocks [3, 1, 1]")
          .withMessageContaining(a.toString());
      increment.launch(THREE, readWrite(a));
      assertThat(a.toArray(FLOAT32)).containsExactly(2, 3, 4);
    }
  }

  @Test
  void theImageIsCopied() {
    byte[] image = KernelMachine.PTX.clone();
    try (CuModule module = machine.cuda.load(image);
        CuArray<Float> a = machine.array(0, 1, 2, 3)) {
      java.util.Arrays.fill(image, (byte) 0);
      module.kernel("increment").launch(THREE, readWrite(a));
    }
  }

  @Test
  void parametersThatNobodyDeclaredAreAlignedAsInC() {
    try (CuModule module = machine.cuda.load(KernelMachine.PTX);
        CuArray<Float> a = machine.array(0, 1, 2, 3)) {
      module.kernel("undeclared").launch(THREE, readWrite(a));
      assertThat(a.toArray(FLOAT32)).containsExactly(2, 3, 4);
    }
  }
}
