package org.cuarray.tests.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.cuarray.AllocatorKind;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuOutOfMemoryException;
import org.cuarray.CuRuntime;
import org.cuarray.DType;
import org.cuarray.HostArray;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory that can't be had: what was asked, used, held and free, and that nothing else changed. */
class OutOfMemoryTest {
  private static final long MIB = 1 << 20;

  private static SimulatedDriver smallMachine() {
    return SimulatedDriver.builder().devices(2).memoryPerDevice(256 * MIB).build();
  }

  @ParameterizedTest
  @EnumSource
  void theExceptionSaysWhatWasAskedUsedAndFree(AllocatorKind kind) {
    SimulatedDriver machine = smallMachine();
    try (CuRuntime cuda = CuRuntime.open(machine)) {
      CuDevice device = cuda.device(1).using(kind);
      try (CuArray<Byte> array = device.zeros(DType.INT8, 100 * MIB)) {
        CuOutOfMemoryException failure =
            catchThrowableOfType(
                CuOutOfMemoryException.class, () -> device.zeros(DType.INT8, 200 * MIB));
        assertThat(failure.device()).isEqualTo(1);
        assertThat(failure.requested()).isEqualTo(200 * MIB);
        assertThat(failure.used()).isEqualTo(100 * MIB);
        assertThat(failure.reserved()).isBetween(100 * MIB, 256 * MIB);
        assertThat(failure.free()).isBetween(0L, 156 * MIB);
        assertThat(failure)
            .hasMessageContaining("cuda:1 is out of memory")
            .hasMessageContaining("200.00 MiB) requested")
            .hasMessageContaining("100.00 MiB) used by arrays of this runtime");
        assertThat(array.get(100 * MIB - 1)).isZero();
        assertThat(device.memoryUsage().used()).isEqualTo(100 * MIB);
      }
      try (CuArray<Byte> array = device.zeros(DType.INT8, 200 * MIB)) {
        assertThat(array.get(0)).isZero();
      }
    }
    assertThat(machine.findings()).isEmpty();
  }

  @Test
  void whatOneAllocatorKeepsInReserveIsGivenToTheOther() {
    SimulatedDriver machine = smallMachine();
    try (CuRuntime cuda = CuRuntime.open(machine)) {
      CuDevice device = cuda.device(0);
      device.zeros(DType.INT8, 200 * MIB).close();
      assertThat(device.memoryUsage().reserved()).isGreaterThanOrEqualTo(200 * MIB);
      device.using(AllocatorKind.CLASSIC).zeros(DType.INT8, 200 * MIB).close();
      device.zeros(DType.INT8, 200 * MIB).close();
    }
    assertThat(machine.findings()).isEmpty();
  }

  /** On streams that work late, what was closed has yet to be freed when it is needed. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whatIsStillBeingFreedIsWaitedForAndGivenToTheOther(long seed) {
    SimulatedDriver machine =
        SimulatedDriver.builder().devices(1).memoryPerDevice(64 * MIB).seed(seed).build();
    try (CuRuntime cuda = CuRuntime.open(machine)) {
      CuDevice device = cuda.device(0);
      device.zeros(DType.INT8, 40 * MIB).close();
      device.using(AllocatorKind.CLASSIC).zeros(DType.INT8, 40 * MIB).close();
      device.zeros(DType.INT8, 40 * MIB).close();
    }
    assertThat(machine.findings()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void thePoolLimitBoundsTheArraysOfEachDevice(AllocatorKind kind) {
    SimulatedDriver machine = smallMachine();
    try (CuRuntime cuda = CuRuntime.builder().driver(machine).poolLimit(1000).open()) {
      CuDevice device = cuda.device(0).using(kind);
      try (CuArray<Byte> array = device.zeros(DType.INT8, 600)) {
        CuOutOfMemoryException failure =
            catchThrowableOfType(CuOutOfMemoryException.class, () -> device.zeros(DType.INT8, 401));
        assertThat(failure.requested()).isEqualTo(401);
        assertThat(failure.used()).isEqualTo(600);
        assertThat(failure.free()).isEqualTo(400);
        device.zeros(DType.INT8, 400).close();
        cuda.device(1).using(kind).zeros(DType.INT8, 1000).close();
        assertThat(array.isClosed()).isFalse();
      }
      device.zeros(DType.INT8, 1000).close();
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CuRuntime.builder().poolLimit(-1))
        .withMessageContaining("-1");
  }

  @Test
  void pinnedMemoryThatCannotBeHadIsTheHosts() {
    SimulatedDriver machine = SimulatedDriver.builder().devices(2).pinnedLimit(10 * MIB).build();
    try (CuRuntime cuda = CuRuntime.open(machine);
        HostArray<Byte> held = cuda.device(0).hostArray(DType.INT8, 6 * MIB)) {
      CuOutOfMemoryException failure =
          catchThrowableOfType(
              CuOutOfMemoryException.class, () -> cuda.device(0).hostArray(DType.INT8, 5 * MIB));
      assertThat(failure.device()).isEqualTo(-1);
      assertThat(failure.requested()).isEqualTo(5 * MIB);
      assertThat(failure.used()).isEqualTo(6 * MIB);
      assertThat(failure).hasMessageContaining("the host has no pinned memory left");
      assertThat(held.isClosed()).isFalse();
      cuda.device(0).hostArray(DType.INT8, 3 * MIB).close();
    }
    assertThat(machine.findings()).isEmpty();
  }

  @Test
  void anArrayWhoseElementsCannotBeUploadedIsGivenBack() {
    SimulatedDriver machine =
        SimulatedDriver.builder().devices(2).fail("cuMemcpyHtoDAsync", 1, 1).build();
    try (CuRuntime cuda = CuRuntime.open(machine)) {
      assertThatExceptionOfType(RuntimeException.class)
          .isThrownBy(() -> cuda.device(0).array(DType.INT32, new int[100]));
      assertThat(cuda.device(0).memoryUsage().used()).isZero();
    }
    assertThat(machine.findings()).isEmpty();
  }

  @Test
  void usageCountsWhatArraysAskedForAndWhatTheRuntimeHolds() {
    SimulatedDriver machine = smallMachine();
    try (CuRuntime cuda = CuRuntime.open(machine)) {
      CuDevice device = cuda.device(0);
      assertThat(device.memoryUsage().used()).isZero();
      assertThat(device.memoryUsage().total()).isEqualTo(256 * MIB);
      try (CuArray<Byte> pooled = device.zeros(DType.INT8, 1000);
          CuArray<Byte> classic = device.using(AllocatorKind.CLASSIC).zeros(DType.INT8, 500)) {
        assertThat(device.memoryUsage().used()).isEqualTo(1500);
        assertThat(device.memoryUsage().reserved()).isGreaterThanOrEqualTo(1500);
        assertThat(device.memoryUsage().free()).isLessThan(256 * MIB);
        assertThat(pooled.allocator()).isEqualTo(AllocatorKind.STREAM_ORDERED);
        assertThat(classic.allocator()).isEqualTo(AllocatorKind.CLASSIC);
      }
    }
  }

  @Test
  void aLimitIsNamedWhereItIsWhatRefuses() {
    try (CuRuntime cuda = CuRuntime.builder().driver(smallMachine()).poolLimit(4096).open();
        CuArray<Byte> array = cuda.device(0).zeros(DType.INT8, 4000)) {
      CuOutOfMemoryException failure =
          catchThrowableOfType(
              CuOutOfMemoryException.class, () -> cuda.device(0).zeros(DType.INT8, 97));
      assertThat(failure)
          .hasMessageContaining("under the runtime's limit of 4096 bytes")
          .hasMessageContaining("97 bytes requested")
          .hasMessageContaining("4000 bytes (3.91 KiB) used")
          .hasMessageContaining("poolLimit");
      assertThat(failure.free()).isEqualTo(96);
      assertThat(array.get(0)).isZero();
    }
  }

  /** Shifts by one element up and down, over more than one slot of the ring they go through. */
  @ParameterizedTest
  @EnumSource
  void onAFullDeviceAnOverlappingCopyGoesThroughTheHost(AllocatorKind kind) {
    int size = (int) (250 * MIB);
    SimulatedDriver machine =
        SimulatedDriver.builder().preset(Preset.PCIE).devices(1).memoryPerDevice(250 * MIB).build();
    try (CuRuntime cuda = CuRuntime.open(machine)) {
      CuDevice device = cuda.device(0).using(kind);
      byte[] contents = new byte[size];
      new SplittableRandom(7).nextBytes(contents);
      try (CuArray<Byte> array = device.array(DType.INT8, contents)) {
        array.slice(0, size - 1).copyTo(array.slice(1, size));
        System.arraycopy(contents, 0, contents, 1, size - 1);
        array.slice(7, size).copyTo(array.slice(0, size - 7));
        System.arraycopy(contents, 7, contents, 0, size - 7);
        assertThat(Arrays.mismatch(array.toArray(DType.INT8), contents)).isNegative();
      }
    }
    assertThat(machine.findings()).isEmpty();
  }

  @Test
  void anOverlappingCopyNeedsNoRoomForAnotherArray() {
    SimulatedDriver machine = smallMachine();
    try (CuRuntime cuda = CuRuntime.builder().driver(machine).poolLimit(4000).open();
        CuArray<Byte> array = cuda.device(0).full(DType.INT8, (byte) 1, 4000)) {
      array.set((byte) 2, 0);
      array.slice(0, 3000).copyTo(array.slice(1, 3001));
      assertThat(array.get(1)).isEqualTo((byte) 2);
    }
  }
}
