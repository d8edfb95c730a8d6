package org.cuarray.tests.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.cuarray.driver.CudaError.INVALID_VALUE;
import static org.cuarray.driver.CudaError.OUT_OF_MEMORY;
import static org.cuarray.tests.conformance.DriverRig.expect;
import static org.cuarray.tests.conformance.DriverRig.ok;

import java.nio.ByteBuffer;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.conformance.DriverRig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SimulatedHostMemoryTest {
  private static final long GIB = 1L << 30;

  private final CudaDriver driver = SimulatedDriver.of(Preset.NVLINK);
  private final DriverRig rig = new DriverRig(driver);

  @AfterEach
  void giveBack() {
    rig.close();
  }

  @Test
  void memoryPastTheReachOfABufferIsSeenThroughWindows() {
    long bytes = 5 * GIB;
    long host = rig.pinned(0, bytes);
    long device = rig.classic(0, 8);
    long across = 3 * GIB - 4;
    driver.hostBuffer(host + across, 8).putLong(0, 0x1122334455667788L);
    ok(driver.memcpyHtoDAsync(device, host + across, 8, rig.stream(0)));
    assertThat(driver.hostBuffer(host + 2 * GIB, Integer.MAX_VALUE).getLong((int) (GIB - 4)))
        .isEqualTo(0x1122334455667788L);
    ok(driver.memcpyDtoHAsync(host + bytes - 8, device, 8, rig.stream(0)));
    assertThat(driver.hostBuffer(host + bytes - 8, 8).getLong(0)).isEqualTo(0x1122334455667788L);
  }

  @Test
  void hostMemoryIsCopiedToHostMemory() {
    long large = rig.pinned(0, GIB);
    long small = rig.pinned(0, 100);
    ByteBuffer window = driver.hostBuffer(small, 100);
    for (int i = 0; i < 100; i++) {
      window.put(i, (byte) i);
    }
    long middle = large + GIB / 2 - 50;
    ok(driver.memcpyAsync(middle, small, 100, rig.stream(0)));
    ok(driver.memcpyAsync(small, middle + 1, 99, rig.stream(0)));
    assertThat(window.get(0)).isEqualTo((byte) 1);
    assertThat(window.get(98)).isEqualTo((byte) 99);
  }

  @Test
  void freshHostMemoryIsNotZeroAndFreedMemoryShowsIt() {
    long host = rig.pageable(16);
    ByteBuffer window = driver.hostBuffer(host, 16);
    assertThat(window.get(3)).isEqualTo((byte) 0xA5);
    rig.forget(host);
    driver.hostFree(host);
    assertThat(window.get(3)).isEqualTo((byte) 0xDD);
    assertThatIllegalArgumentException().isThrownBy(() -> driver.hostBuffer(host, 16));
  }

  @Test
  void aWindowPastTheEndIsRefused() {
    long host = rig.pageable(16);
    assertThat(driver.hostBuffer(host + 15, 1).capacity()).isEqualTo(1);
    assertThatIllegalArgumentException().isThrownBy(() -> driver.hostBuffer(host + 15, 2));
    assertThatIllegalArgumentException().isThrownBy(() -> driver.hostBuffer(host, -1));
  }

  @Test
  void deviceMemoryHasNoWindow() {
    long device = rig.classic(0, 16);
    assertThatIllegalArgumentException().isThrownBy(() -> driver.hostBuffer(device, 16));
  }

  @Test
  void eachKindOfHostMemoryIsFreedItsOwnWay() {
    long pinned = rig.pinned(0, 16);
    long pageable = rig.pageable(16);
    long device = rig.classic(0, 16);
    expect(INVALID_VALUE, driver.memFree(pinned));
    expect(INVALID_VALUE, driver.memFreeHost(pageable));
    expect(INVALID_VALUE, driver.memFreeHost(device));
    assertThatIllegalArgumentException().isThrownBy(() -> driver.hostFree(pinned));
  }

  @Test
  void unreasonableSizesAreOutOfMemory() {
    rig.use(0);
    expect(OUT_OF_MEMORY, driver.hostMalloc(new long[1], 1L << 50));
    expect(OUT_OF_MEMORY, driver.memHostAlloc(new long[1], 1L << 50, 0));
    expect(INVALID_VALUE, driver.memHostAlloc(new long[1], 16, 1 << 20));
  }
}
