package org.cuarray.tests.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.driver.CudaError.INVALID_VALUE;
import static org.cuarray.tests.conformance.DriverRig.expect;
import static org.cuarray.tests.conformance.DriverRig.ok;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.DriverFlags;
import org.cuarray.driver.PointerAttribute;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.conformance.DriverRig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The layout of the simulated address space. */
class SimulatedAddressTest {

  @Test
  void devicesAllocateFromRangesFarApart() {
    CudaDriver driver = SimulatedDriver.of(Preset.SIXTEEN);
    try (DriverRig rig = new DriverRig(driver)) {
      long last = 0;
      for (int device = 0; device < 16; device++) {
        long classic = rig.classic(device, 1);
        long pooled = rig.pooled(device, 1);
        assertThat(Math.min(classic, pooled) - last).isGreaterThan(1L << 40);
        last = Math.max(classic, pooled);
        assertThat(classic % 512).isZero();
        assertThat(pooled % 512).isZero();
      }
      assertThat(last).isLessThan(1L << 47);
    }
  }

  @Test
  void anAddressIsReusedByItsOwnDeviceOnly() {
    CudaDriver driver = SimulatedDriver.of(Preset.NVLINK);
    try (DriverRig rig = new DriverRig(driver)) {
      long freed = freed(driver, rig);
      assertThat(rig.classic(1, 4096)).isNotEqualTo(freed);
      assertThat(rig.classic(0, 4096)).isEqualTo(freed);
    }
  }

  @Test
  void anAddressCanBeReusedByAnotherDevice() {
    CudaDriver driver = SimulatedDriver.builder().reuseAddressesAcrossDevices().build();
    try (DriverRig rig = new DriverRig(driver)) {
      long freed = freed(driver, rig);
      assertThat(rig.classic(1, 4096)).isEqualTo(freed);
      long[] ordinal = new long[1];
      ok(driver.pointerGetAttribute(ordinal, PointerAttribute.DEVICE_ORDINAL, freed));
      assertThat(ordinal[0]).isEqualTo(1);
    }
  }

  private static long freed(CudaDriver driver, DriverRig rig) {
    long pointer = rig.classic(0, 4096);
    ok(driver.memFree(pointer));
    rig.forget(pointer);
    return pointer;
  }

  @Test
  void pastAnAllocationIsNotTheNextOne() {
    CudaDriver driver = SimulatedDriver.of(Preset.NVLINK);
    try (DriverRig rig = new DriverRig(driver)) {
      long first = rig.classic(0, 512);
      long second = rig.classic(0, 512);
      assertThat(second).isEqualTo(first + 512);
      rig.fill(0, first, 1, 512);
      expect(INVALID_VALUE, driver.memsetD8Async(first, (byte) 2, 513, rig.stream(0)));
      expect(INVALID_VALUE, driver.memsetD8Async(first + 500, (byte) 2, 13, rig.stream(0)));
      expect(INVALID_VALUE, driver.memsetD8Async(first, (byte) 2, -1, rig.stream(0)));
      expect(INVALID_VALUE, driver.memsetD32Async(first, 2, 1L << 62, rig.stream(0)));
      assertThat(rig.read(0, first, 512)).containsOnly(1);
    }
  }

  @Test
  void managedMemoryIsFilledFromAnyDevicesStream() {
    CudaDriver driver = SimulatedDriver.of(Preset.PCIE);
    try (DriverRig rig = new DriverRig(driver)) {
      long[] pointer = new long[1];
      rig.use(1);
      ok(driver.memAllocManaged(pointer, 64, DriverFlags.MEM_ATTACH_GLOBAL));
      ok(driver.memsetD8Async(pointer[0], (byte) 3, 64, rig.stream(0)));
      assertThat(rig.read(1, pointer[0], 1)).containsExactly(3);
      ok(driver.memFree(pointer[0]));
    }
  }

  /** Live allocations of every kind never overlap, whatever was freed before. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void liveAllocationsStayApart(long seed) {
    Random random = new Random(seed);
    CudaDriver driver =
        SimulatedDriver.builder().preset(Preset.NVLINK).reuseAddressesAcrossDevices().build();
    try (DriverRig rig = new DriverRig(driver)) {
      List<Long> live = new ArrayList<>();
      TreeMap<Long, Long> ends = new TreeMap<>();
      for (int step = 0; step < 2000; step++) {
        if (live.isEmpty() || random.nextInt(5) > 1) {
          long bytes = 1 + (long) (random.nextDouble() * (1L << random.nextInt(26)));
          long pointer = allocate(driver, rig, random, bytes);
          assertThat(pointer % 512).isZero();
          var before = ends.floorEntry(pointer);
          var after = ends.ceilingEntry(pointer);
          assertThat(before == null || before.getValue() <= pointer).isTrue();
          assertThat(after == null || pointer + bytes <= after.getKey()).isTrue();
          live.add(pointer);
          ends.put(pointer, pointer + bytes);
        } else {
          long pointer = live.remove(random.nextInt(live.size()));
          ends.remove(pointer);
          ok(driver.memFree(pointer));
        }
      }
      live.forEach(pointer -> ok(driver.memFree(pointer)));
      assertThat(((SimulatedDriver) driver).findings()).isEmpty();
    }
  }

  private static long allocate(CudaDriver driver, DriverRig rig, Random random, long bytes) {
    long[] pointer = new long[1];
    int device = random.nextInt(4);
    if (random.nextBoolean()) {
      rig.use(device);
      ok(driver.memAlloc(pointer, bytes));
    } else {
      ok(driver.memAllocAsync(pointer, bytes, rig.stream(device)));
    }
    return pointer[0];
  }
}
