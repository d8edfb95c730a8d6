package org.cuarray.tests.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.cuarray.CuArray;
import org.cuarray.CuDriverException;
import org.cuarray.CuOutOfMemoryException;
import org.cuarray.CuRuntime;
import org.cuarray.DType;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.InterceptedDriver;
import org.cuarray.driver.RecordingDriver;
import org.cuarray.driver.RecordingDriver.Call;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies through the host while pinned memory is plenty, short, or denied. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
class StagingTest {
  private static byte[] random(int bytes) {
    byte[] all = new byte[bytes];
    new SplittableRandom(bytes).nextBytes(all);
    return all;
  }

  private static void copyThroughTheHost(SimulatedDriver machine, CuRuntime.Builder options) {
    RecordingDriver recording = new RecordingDriver(machine);
    try (CuRuntime cuda = options.driver(recording.driver()).open()) {
      for (int bytes : new int[] {1, 4097, (1 << 20) + 7, (20 << 20) + 3}) {
        byte[] contents = random(bytes);
        try (CuArray<Byte> a = cuda.device(0).array(DType.INT8, contents);
            CuArray<Byte> b = cuda.device(1).zeros(DType.INT8, bytes)) {
          a.copyTo(b);
          assertThat(b.toArray(DType.INT8)).isEqualTo(contents);
        }
      }
      assertThat(recording.calls("cuMemcpyPeerAsync")).isEmpty();
    }
    assertThat(machine.findings()).isEmpty();
  }

  @ParameterizedTest(name = "{0} bytes pinned at most")
  @ValueSource(longs = {0, 64 << 10, 200 << 10, 1 << 20, 5 << 20, 17 << 20})
  void copiesGoOnWhenPinnedMemoryIsShort(long limit) {
    copyThroughTheHost(
        SimulatedDriver.builder().preset(Preset.PCIE).devices(2).pinnedLimit(limit).build(),
        CuRuntime.builder());
  }

  @Test
  void copiesGoOnWherePinnedMemoryIsDenied() {
    copyThroughTheHost(
        SimulatedDriver.builder().preset(Preset.PCIE).devices(2).denyPinned().build(),
        CuRuntime.builder());
  }

  @ParameterizedTest(name = "{1} chunks of {0} bytes")
  @CsvSource({"65536, 2", "65536, 64", "1000003, 3", "8388608, 4", "67108864, 2"})
  void chunksOfAnySizeAndNumberCarryRightBytes(long chunkBytes, int chunks) {
    copyThroughTheHost(
        SimulatedDriver.of(Preset.PCIE, 2), CuRuntime.builder().staging(chunkBytes, chunks));
  }

  /** Half a chunk, as transfers of Java's arrays take it, would end in the middle of an element. */
  @ParameterizedTest(name = "chunks of {0} bytes")
  @ValueSource(longs = {4097, 8194, 12_289, 131_071})
  void chunksOfOddSizesCarryWholeElements(long chunkBytes) {
    SimulatedDriver machine = SimulatedDriver.of(Preset.PCIE, 2);
    double[] contents = new SplittableRandom(chunkBytes).doubles(300_000).toArray();
    try (CuRuntime cuda = CuRuntime.builder().driver(machine).staging(chunkBytes, 2).open();
        CuArray<Double> array = cuda.device(0).array(DType.FLOAT64, contents)) {
      assertThat(Arrays.mismatch(array.toArray(DType.FLOAT64), contents)).isNegative();
    }
  }

  @Test
  void aRingWhoseMemoryWasShortHasWholeChunksAgainLater() {
    AtomicLong most = new AtomicLong(1 << 20);
    List<Long> pinned = new CopyOnWriteArrayList<>();
    CudaDriver driver =
        InterceptedDriver.around(
            SimulatedDriver.of(Preset.PCIE, 2),
            (call, arguments, proceed) -> {
              if (call.equals("cuMemHostAlloc")) {
                if ((long) arguments[1] > most.get()) {
                  return CudaError.OUT_OF_MEMORY;
                }
                pinned.add((long) arguments[1]);
              }
              return proceed.call();
            });
    try (CuRuntime cuda = CuRuntime.open(driver);
        CuArray<Byte> a = cuda.device(0).zeros(DType.INT8, 40 << 20);
        CuArray<Byte> b = cuda.device(1).zeros(DType.INT8, 40 << 20)) {
      a.copyTo(b);
      assertThat(pinned).containsOnly(1L << 20);
      most.set(100);
      assertThatExceptionOfType(CuOutOfMemoryException.class)
          .isThrownBy(() -> cuda.device(0).hostArray(DType.INT8, 101));
      most.set(Long.MAX_VALUE);
      pinned.clear();
      a.copyTo(b);
      assertThat(pinned).containsOnly(8L << 20);
    }
  }

  /** Room for one chunk, and for less than a second one. */
  @Test
  void whatIsTooLittleForAnotherChunkIsGivenBack() {
    SimulatedDriver machine =
        SimulatedDriver.builder().preset(Preset.PCIE).devices(2).pinnedLimit(3 << 19).build();
    try (CuRuntime cuda = CuRuntime.builder().driver(machine).staging(1 << 20, 4).open();
        CuArray<Byte> a = cuda.device(0).zeros(DType.INT8, 1 << 20);
        CuArray<Byte> b = cuda.device(1).zeros(DType.INT8, 1 << 20);
        CuArray<Byte> c = cuda.device(0).zeros(DType.INT8, 2 << 20);
        CuArray<Byte> d = cuda.device(1).zeros(DType.INT8, 2 << 20)) {
      a.copyTo(b);
      c.copyTo(d);
      cuda.device(0).hostArray(DType.INT8, 1 << 19).close();
    }
    assertThat(machine.findings()).isEmpty();
  }

  /** Of the only slot, and of one of several that are filled in turn. */
  @ParameterizedTest(name = "{0} bytes, seed {3}")
  @CsvSource({
    "100, 1500000, 1000000, 1", "100, 1500000, 1000000, 2", "100, 1500000, 1000000, 3",
    "100000, 160000, 100000, 1", "100000, 160000, 100000, 2", "100000, 160000, 100000, 3"
  })
  void memoryThatADownloadWhoseWaitFailedMayStillFillIsNotGivenBack(
      long bytes, long pinnedLimit, long wanted, long seed) {
    SimulatedDriver machine =
        SimulatedDriver.builder()
            .preset(Preset.PCIE)
            .devices(1)
            .pinnedLimit(pinnedLimit)
            .seed(seed)
            .build();
    try (CuRuntime cuda = CuRuntime.builder().driver(machine).staging(65_536, 2).open();
        CuArray<Byte> array = cuda.device(0).zeros(DType.INT8, bytes)) {
      array.synchronize();
      machine.failFromNow("cuEventSynchronize", 1, CudaError.INVALID_VALUE);
      assertThatExceptionOfType(CuDriverException.class)
          .isThrownBy(() -> array.toArray(DType.INT8));
      cuda.device(0).hostArray(DType.INT8, wanted).close();
    }
    assertThat(machine.findings()).isEmpty();
  }

  /** What the driver may have taken stays tracked, whatever it reported. */
  @ParameterizedTest(name = "{0}, seed {1}")
  @CsvSource({
    "cuMemcpyDtoHAsync, 1", "cuMemcpyDtoHAsync, 2", "cuMemcpyDtoHAsync, 3",
    "cuMemcpyHtoDAsync, 1", "cuMemcpyHtoDAsync, 2", "cuMemcpyHtoDAsync, 3"
  })
  void aPieceThatWasTakenAndYetFailedKeepsItsPlaceInTheOrder(String failing, long seed) {
    SimulatedDriver machine =
        SimulatedDriver.builder().preset(Preset.PCIE).devices(2).seed(seed).build();
    AtomicInteger left = new AtomicInteger();
    CudaDriver driver =
        InterceptedDriver.around(
            machine,
            (call, arguments, proceed) -> {
              int status = proceed.call();
              return call.equals(failing) && left.getAndDecrement() == 1
                  ? CudaError.INVALID_VALUE
                  : status;
            });
    try (CuRuntime cuda = CuRuntime.builder().driver(driver).staging(8192, 2).open();
        CuArray<Integer> a = cuda.device(0).full(DType.INT32, (Integer) 1, 10_000);
        CuArray<Integer> b = cuda.device(1).full(DType.INT32, (Integer) 2, 10_000)) {
      for (Runnable transfer :
          List.<Runnable>of(
              () -> a.copyTo(b),
              () -> b.copyFrom(DType.INT32, new int[10_000]),
              () -> a.toArray(DType.INT32))) {
        cuda.synchronize();
        left.set(2);
        try {
          transfer.run();
        } catch (CuDriverException e) {
          assertThat(e.call()).isEqualTo(failing);
        }
        left.set(0);
        a.fill((Integer) 9);
        b.fill((Integer) 8);
        assertThat(b.toArray(DType.INT32)).containsOnly(8);
      }
    }
    assertThat(machine.findings()).isEmpty();
  }

  @Test
  void aCopyInChunksHasThemInBothDirectionsAtTheSameTime() {
    RecordingDriver recording = new RecordingDriver(SimulatedDriver.of(Preset.PCIE, 2));
    try (CuRuntime cuda =
            CuRuntime.builder().driver(recording.driver()).staging(1 << 20, 4).open();
        CuArray<Byte> a = cuda.device(0).zeros(DType.INT8, 16 << 20);
        CuArray<Byte> b = cuda.device(1).zeros(DType.INT8, 16 << 20)) {
      a.copyTo(b);
      cuda.synchronize();
      recording.clear();
      a.copyTo(b);
      assertThat(recording.calls("cuMemcpyDtoHAsync", "cuMemcpyHtoDAsync"))
          .extracting(Call::name)
          .startsWith(
              "cuMemcpyDtoHAsync", "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "cuMemcpyHtoDAsync")
          .hasSize(32);
      assertThat(recording.calls("cuEventSynchronize", "cuStreamSynchronize", "cuCtxSynchronize"))
          .as("waits of the host")
          .isEmpty();
    }
  }

  @Test
  void aCopyOfAFewBytesPinsLittle() {
    RecordingDriver recording = new RecordingDriver(SimulatedDriver.of(Preset.PCIE, 2));
    try (CuRuntime cuda = CuRuntime.open(recording.driver());
        CuArray<Byte> a = cuda.device(0).zeros(DType.INT8, 10);
        CuArray<Byte> b = cuda.device(1).zeros(DType.INT8, 10)) {
      a.copyTo(b);
      assertThat(
              recording.calls("cuMemHostAlloc").stream().mapToLong(call -> call.argument(1)).sum())
          .isLessThanOrEqualTo(1 << 20);
    }
  }
}
