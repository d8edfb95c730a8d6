package org.cuarray.tests.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.cuarray.tests.conformance.DriverRig.ok;

import org.cuarray.CuArray;
import org.cuarray.CuDeviceLostException;
import org.cuarray.CuDriverException;
import org.cuarray.CuRuntime;
import org.cuarray.DType;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.simulated.Finding;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Submissions that the driver refuses are named fully, once, and leave everything in order. */
class FailedCopyTest {
  private static final int SIZE = 1000;

  @ParameterizedTest
  @CsvSource({
    "NVLINK, cuMemcpyPeerAsync, 1, 1",
    "NVLINK, cuMemcpyDtoDAsync, 0, 1",
    "PCIE, cuMemcpyDtoHAsync, 1, 1",
    "PCIE, cuMemcpyHtoDAsync, 1, 1",
  })
  void aRefusedCopyNamesItsCallCodeDeviceAndBytesAndTheNextOneWorks(
      Preset preset, String call, int to, int nth) {
    SimulatedDriver machine = SimulatedDriver.of(preset, 2);
    try (CuRuntime cuda = CuRuntime.open(machine);
        CuArray<Integer> a = cuda.device(0).full(DType.INT32, 7, (long) SIZE);
        CuArray<Integer> b = cuda.device(to).zeros(DType.INT32, SIZE)) {
      a.copyTo(b);
      long own = cuda.registry().contextOf(cuda.device(1));
      ok(machine.ctxSetCurrent(own));
      machine.failFromNow(call, nth, CudaError.INVALID_VALUE);
      assertThatExceptionOfType(CuDriverException.class)
          .isThrownBy(() -> a.copyTo(b))
          .withMessageContaining(call)
          .withMessageContaining("INVALID_VALUE")
          .withMessageContaining("4000 bytes")
          .satisfies(
              failure -> {
                assertThat(failure.call()).isEqualTo(call);
                assertThat(failure.code()).isEqualTo(CudaError.INVALID_VALUE);
              });
      long[] current = new long[1];
      ok(machine.ctxGetCurrent(current));
      assertThat(current[0]).isEqualTo(own);
      ok(machine.ctxSetCurrent(0));
      a.fill((Integer) 8);
      a.copyTo(b);
      assertThat(b.toArray(DType.INT32)).containsOnly(8);
      assertThat(a.toArray(DType.INT32)).containsOnly(8);
    }
    assertThat(machine.findings()).isEmpty();
  }

  @ParameterizedTest(name = "{0} call {1}")
  @CsvSource({
    "cuMemcpyDtoHAsync, 2",
    "cuMemcpyHtoDAsync, 2",
    "cuStreamWaitEvent, 1",
    "cuStreamWaitEvent, 3",
    "cuEventRecord, 2"
  })
  void aFailureBetweenTheChunksOfACopyLeavesTheRestUsable(String call, int nth) {
    SimulatedDriver machine = SimulatedDriver.of(Preset.PCIE, 2);
    try (CuRuntime cuda = CuRuntime.builder().driver(machine).staging(64 << 10, 2).open();
        CuArray<Integer> a = cuda.device(0).full(DType.INT32, 7, 200_000L);
        CuArray<Integer> b = cuda.device(1).zeros(DType.INT32, 200_000)) {
      cuda.synchronize();
      machine.failFromNow(call, nth, CudaError.INVALID_HANDLE);
      assertThatExceptionOfType(CuDriverException.class)
          .isThrownBy(() -> a.copyTo(b))
          .withMessageContaining(call);
      for (int i = 0; i < 3; i++) {
        a.copyTo(b);
      }
      assertThat(b.toArray(DType.INT32)).containsOnly(7);
    }
    assertThat(machine.findings()).isEmpty();
  }

  @Test
  void aChunkThatCameDownAndNeverWentUpIsNotOverwrittenTooEarly() {
    SimulatedDriver machine =
        SimulatedDriver.builder().preset(Preset.PCIE).devices(3).seed(1).build();
    try (CuRuntime cuda = CuRuntime.builder().driver(machine).staging(4 << 10, 2).open();
        CuArray<Integer> a = cuda.device(0).full(DType.INT32, 7, 2000L);
        CuArray<Integer> b = cuda.device(1).zeros(DType.INT32, 2000);
        CuArray<Integer> c = cuda.device(2).zeros(DType.INT32, 2000)) {
      cuda.synchronize();
      machine.failFromNow("cuStreamWaitEvent", 1, CudaError.INVALID_HANDLE);
      assertThatExceptionOfType(CuDriverException.class)
          .isThrownBy(() -> a.copyTo(b))
          .withMessageContaining("cuStreamWaitEvent");
      a.copyTo(c);
      assertThat(c.toArray(DType.INT32)).containsOnly(7);
    }
    assertThat(machine.findings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"cuMemcpyHtoDAsync", "cuEventSynchronize"})
  void aFailedUploadOrDownloadLeavesItsStagingMemoryToOthers(String call) {
    SimulatedDriver machine = SimulatedDriver.of(Preset.PCIE, 2);
    try (CuRuntime cuda = CuRuntime.builder().driver(machine).staging(64 << 10, 2).open();
        CuArray<Integer> a = cuda.device(0).zeros(DType.INT32, 200_000)) {
      int[] contents = new int[200_000];
      contents[199_999] = 5;
      for (int nth = 1; nth <= 4; nth++) {
        machine.failFromNow(call, nth, CudaError.INVALID_HANDLE);
        assertThatExceptionOfType(CuDriverException.class)
            .isThrownBy(
                () -> {
                  a.copyFrom(DType.INT32, contents);
                  a.toArray(DType.INT32);
                })
            .withMessageContaining(call);
      }
      a.copyFrom(DType.INT32, contents);
      assertThat(a.toArray(DType.INT32)).isEqualTo(contents);
    }
    assertThat(machine.findings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"NVLINK", "PCIE"})
  void aLostDeviceIsNamedAndTheOthersGoOn(String preset) {
    SimulatedDriver machine = SimulatedDriver.of(Preset.valueOf(preset), 3);
    CuRuntime cuda = CuRuntime.open(machine);
    CuArray<Integer> a = cuda.device(0).full(DType.INT32, 7, (long) SIZE);
    CuArray<Integer> b = cuda.device(1).zeros(DType.INT32, SIZE);
    CuArray<Integer> c = cuda.device(2).zeros(DType.INT32, SIZE);
    a.copyTo(b);
    a.copyTo(c);
    machine.loseDevice(1);
    assertThatExceptionOfType(CuDeviceLostException.class).isThrownBy(() -> a.copyTo(b));
    assertThatExceptionOfType(CuDeviceLostException.class)
        .isThrownBy(() -> b.toArray(DType.INT32))
        .satisfies(lost -> assertThat(lost.device()).isEqualTo(1));
    a.fill((Integer) 9);
    a.copyTo(c);
    assertThat(c.toArray(DType.INT32)).containsOnly(9);
    assertThatNoException()
        .isThrownBy(
            () -> {
              b.close();
              a.close();
              c.close();
              cuda.close();
            });
    assertThat(machine.findings()).extracting(Finding::kind).doesNotContain(Finding.Kind.LEAK);
  }

  @Test
  void aRefusedAllocationForTheCopyOfToLeavesNothingBehind() {
    SimulatedDriver machine =
        SimulatedDriver.builder()
            .devices(2)
            .fail("cuMemcpyPeerAsync", 1, CudaError.INVALID_VALUE)
            .fail("cuMemcpyDtoHAsync", 1, CudaError.INVALID_VALUE)
            .build();
    try (CuRuntime cuda = CuRuntime.open(machine);
        CuArray<Integer> a = cuda.device(0).full(DType.INT32, 7, (long) SIZE)) {
      assertThatExceptionOfType(CuDriverException.class).isThrownBy(() -> a.to(cuda.device(1)));
      assertThat(cuda.device(1).memoryUsage().used()).isZero();
    }
    assertThat(machine.findings()).isEmpty();
  }
}
