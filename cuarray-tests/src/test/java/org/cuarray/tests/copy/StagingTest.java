package org.cuarray.tests.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.cuarray.CuArray;
import org.cuarray.CuRuntime;
import org.cuarray.DType;
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
