package org.cuarray.tests.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.cuarray.Access.readWrite;
import static org.cuarray.DType.INT64;
import static org.cuarray.driver.CudaError.INVALID_CONTEXT;
import static org.cuarray.driver.CudaError.INVALID_HANDLE;
import static org.cuarray.driver.CudaError.INVALID_VALUE;
import static org.cuarray.driver.CudaError.SUCCESS;
import static org.cuarray.tests.conformance.DriverRig.ok;

import java.util.List;
import org.cuarray.CuArray;
import org.cuarray.CuDeviceLostException;
import org.cuarray.CuDriverException;
import org.cuarray.CuKernel;
import org.cuarray.KernelArg;
import org.cuarray.Launch;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.simulated.Finding;
import org.cuarray.driver.simulated.KernelRun;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.conformance.DriverRig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels on the simulated machine, whose bodies are Java. */
class SimulatedKernelTest {
  private static final Launch ONE = Launch.of(1, 1);

  @Test
  void aBodySeesItsLaunch() {
    Object[] seen = new Object[1];
    SimulatedDriver machine =
        SimulatedDriver.builder()
            .kernel(
                "k",
                run ->
                    seen[0] =
                        List.of(
                            run.name(),
                            run.device(),
                            List.of(run.grid(0), run.grid(1), run.grid(2)),
                            List.of(run.block(0), run.block(1), run.block(2)),
                            run.sharedBytes(),
                            run.threads()))
            .build();
    try (KernelMachine kernels = new KernelMachine(machine);
        CuArray<Float> a = kernels.array(2, 1)) {
      kernels.kernel("k").launch(ONE.grid(2, 3, 4).block(5, 6, 7).shared(8), readWrite(a));
    }
    assertThat(seen[0])
        .isEqualTo(List.of("k", 2, List.of(2, 3, 4), List.of(5, 6, 7), 8, 24L * 210));
  }

  @Test
  void aBodyReadsAndWritesEveryKindOfNumber() {
    SimulatedDriver machine =
        SimulatedDriver.builder()
            .kernel(
                "k",
                run -> {
                  long x = run.nextLong();
                  run.putByte(x, (byte) (run.getByte(x) + 1));
                  run.putShort(x + 8, (short) (run.getShort(x + 8) + 2));
                  run.putInt(x + 16, run.getInt(x + 16) + 3);
                  run.putLong(x + 24, run.getLong(x + 24) + 4);
                  run.putDouble(x + 32, run.getDouble(x + 32) + 0.5);
                  run.putFloat(x + 40, run.getFloat(x + 40) + 0.25f);
                })
            .build();
    try (KernelMachine kernels = new KernelMachine(machine);
        CuArray<Long> a = kernels.gpu(0).zeros(INT64, 6)) {
      kernels.kernel("k").launch(ONE, readWrite(a));
      assertThat(a.toArray(INT64))
          .containsExactly(1, 2, 3, 4, Double.doubleToLongBits(0.5), Float.floatToIntBits(0.25f));
    }
  }

  @Test
  void anIllegalAddressEndsTheUseOfTheDevice() {
    SimulatedDriver machine =
        SimulatedDriver.builder()
            .devices(2)
            .kernel("poke", run -> run.putInt(run.nextLong() + run.nextLong(), 1))
            .build();
    try (KernelMachine kernels = new KernelMachine(machine);
        CuArray<Long> a = kernels.gpu(0).zeros(INT64, 4);
        CuArray<Long> b = kernels.gpu(1).zeros(INT64, 4)) {
      CuKernel poke = kernels.kernel("poke");
      poke.launch(ONE, readWrite(a), KernelArg.int64(28));
      assertThatExceptionOfType(CuDeviceLostException.class)
          .isThrownBy(() -> poke.launch(ONE, readWrite(a), KernelArg.int64(29)))
          .havingCause()
          .isInstanceOfSatisfying(
              CuDriverException.class,
              e -> assertThat(e.code()).isEqualTo(CudaError.ILLEGAL_ADDRESS))
          .withMessageContaining("Kernel poke");
      assertThatExceptionOfType(CuDeviceLostException.class).isThrownBy(a::synchronize);
      poke.launch(ONE, readWrite(b), KernelArg.int64(0));
      assertThat(b.get(0)).isEqualTo(1L);
    }
  }

  @Test
  void memoryOfAnotherDeviceAndFreedMemoryAreIllegal() {
    SimulatedDriver machine =
        SimulatedDriver.builder().devices(2).kernel("peek", this::peek).build();
    DriverRig rig = new DriverRig(machine);
    long own = rig.classic(0, 64);
    long other = rig.classic(1, 64);
    long pinned = rig.pinned(0, 64);
    long freed = rig.classic(0, 64);
    rig.use(0);
    machine.memFree(freed);
    rig.forget(freed);
    long function = function(machine, "peek");
    assertThat(launch(machine, rig, function, own)).isEqualTo(SUCCESS);
    assertThat(launch(machine, rig, function, pinned)).isEqualTo(SUCCESS);
    assertThat(launch(machine, rig, function, freed)).isEqualTo(CudaError.ILLEGAL_ADDRESS);
    assertThat(machine.findings())
        .filteredOn(finding -> finding.kind() == Finding.Kind.USE_AFTER_FREE)
        .singleElement()
        .satisfies(finding -> assertThat(finding.message()).startsWith("kernel peek of freed"));
    assertThat(other).isNotZero();
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void memoryThatIsFreedInTheOrderOfTheStreamIsThereForAKernelThatRunsLate(long seed) {
    SimulatedDriver machine =
        SimulatedDriver.builder().devices(2).seed(seed).kernel("peek", this::peek).build();
    DriverRig rig = new DriverRig(machine);
    long[] memory = new long[1];
    long pool = rig.pool(0);
    ok(machine.memAllocFromPoolAsync(memory, 64, pool, rig.stream(0)));
    rig.use(0);
    ok(launch(machine, rig, function(machine, "peek"), memory[0]));
    ok(machine.memFreeAsync(memory[0], rig.stream(0)));
    ok(machine.streamSynchronize(rig.stream(0)));
    assertThat(machine.findings()).isEmpty();
  }

  @Test
  void peerMemoryIsOutOfReach() {
    SimulatedDriver machine =
        SimulatedDriver.builder().devices(2).kernel("peek", this::peek).build();
    DriverRig rig = new DriverRig(machine);
    long other = rig.classic(1, 64);
    rig.use(0);
    assertThat(launch(machine, rig, function(machine, "peek"), other))
        .isEqualTo(CudaError.ILLEGAL_ADDRESS);
  }

  private void peek(KernelRun run) {
    run.getByte(run.nextLong());
  }

  private static long function(SimulatedDriver machine, String name) {
    long[] handle = new long[1];
    assertThat(machine.moduleLoadDataEx(handle, KernelMachine.PTX, new byte[0])).isEqualTo(SUCCESS);
    assertThat(machine.moduleGetFunction(handle, handle[0], name)).isEqualTo(SUCCESS);
    return handle[0];
  }

  private static int launch(SimulatedDriver machine, DriverRig rig, long function, long pointer) {
    byte[] parameters = new byte[8];
    java.nio.ByteBuffer.wrap(parameters).order(java.nio.ByteOrder.nativeOrder()).putLong(pointer);
    return machine.launchKernel(function, 1, 1, 1, 1, 1, 1, 0, rig.stream(0), parameters, 8);
  }

  @Test
  void theDriverRefusesWhatTheRealOneRefuses() {
    SimulatedDriver machine =
        SimulatedDriver.builder().devices(2).kernel("k", List.of(8, 4), run -> {}).build();
    DriverRig rig = new DriverRig(machine);
    long[] handle = {-1};
    machine.ctxSetCurrent(0);
    assertThat(machine.moduleLoadDataEx(handle, KernelMachine.PTX, new byte[0]))
        .isEqualTo(INVALID_CONTEXT);
    rig.use(0);
    long function = function(machine, "k");
    long stream = rig.stream(0);
    byte[] parameters = new byte[12];
    assertThat(machine.launchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, parameters, 12))
        .isEqualTo(SUCCESS);
    assertThat(machine.launchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, parameters, 8))
        .isEqualTo(INVALID_VALUE);
    assertThat(machine.launchKernel(function, 0, 1, 1, 1, 1, 1, 0, stream, parameters, 12))
        .isEqualTo(INVALID_VALUE);
    assertThat(machine.launchKernel(function, 1, 1, 1, 1025, 1, 1, 0, stream, parameters, 12))
        .isEqualTo(INVALID_VALUE);
    assertThat(machine.launchKernel(function, 1, 1, 1, 1, 1, 1, 49_153, stream, parameters, 12))
        .isEqualTo(INVALID_VALUE);
    assertThat(machine.launchKernel(function, 1, 1, 1, 1, 1, 1, 0, rig.stream(1), parameters, 12))
        .isEqualTo(INVALID_HANDLE);
    long[] offset = new long[1];
    long[] bytes = new long[1];
    assertThat(machine.funcGetParamInfo(function, 1, offset, bytes)).isEqualTo(SUCCESS);
    assertThat(offset[0]).isEqualTo(8);
    assertThat(bytes[0]).isEqualTo(4);
    assertThat(machine.funcGetParamInfo(function, 2, offset, bytes)).isEqualTo(INVALID_VALUE);
    assertThat(machine.moduleUnload(function)).isEqualTo(INVALID_HANDLE);
  }

  @Test
  void aBodyThatAsksForMoreArgumentsThanItGotSaysSo() {
    SimulatedDriver machine =
        SimulatedDriver.builder()
            .kernel(
                "k",
                run -> {
                  run.nextLong();
                  run.nextDouble();
                })
            .build();
    try (KernelMachine kernels = new KernelMachine(machine);
        CuArray<Float> a = kernels.array(0, 1)) {
      CuKernel kernel = kernels.kernel("k");
      assertThatIllegalStateException()
          .isThrownBy(() -> kernel.launch(ONE, readWrite(a)))
          .withMessage("the body of kernel k asks for 8 bytes at 8, and the launch gave 8 bytes");
      // What a body throws leaves nothing locked.
      kernel.launch(ONE, readWrite(a), KernelArg.float64(1));
    }
  }

  @Test
  void aParameterHasASize() {
    SimulatedDriver.Builder builder = SimulatedDriver.builder();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.kernel("k", List.of(8, 0), run -> {}));
  }
}
