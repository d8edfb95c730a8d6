package org.cuarray.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.cuarray.driver.CudaError.INVALID_CONTEXT;
import static org.cuarray.driver.CudaError.INVALID_VALUE;
import static org.cuarray.tests.conformance.DriverRig.expect;
import static org.cuarray.tests.conformance.DriverRig.ok;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pinned and pageable host memory, and Java's windows on it. */
abstract class HostMemoryFacts extends DriverFacts {
  private static final int BYTES = 4096;

  @Test
  @Tag(DOCUMENTED)
  void pinningNeedsACurrentContext() {
    expect(INVALID_CONTEXT, driver.memHostAlloc(new long[1], BYTES, 0));
  }

  @Test
  @Tag(DOCUMENTED)
  void pinnedMemoryTravelsToAnyDeviceAndBack() {
    long pinned = rig.pinned(0, 2 * BYTES);
    long memory = rig.classic(device, BYTES);
    ByteBuffer window = driver.hostBuffer(pinned, 2 * BYTES);
    window.putInt(4, 0x12345678).putInt(BYTES + 4, 0);
    ok(driver.memcpyHtoDAsync(memory, pinned, BYTES, rig.stream(device)));
    ok(driver.memcpyDtoHAsync(pinned + BYTES, memory, BYTES, rig.stream(device)));
    rig.synchronize(device);
    assertThat(window.getInt(BYTES + 4)).isEqualTo(0x12345678);
  }

  @Test
  @Tag(OBSERVED)
  void hostMemoryTravelsIntoAPoolOnlyWhereTheCurrentContextReachesIt() {
    long pinned = rig.pinned(0, BYTES);
    long memory = rig.pooled(1, BYTES);
    rig.useNone();
    ok(driver.memcpyHtoDAsync(memory, pinned, BYTES, rig.stream(1)));
    rig.use(0);
    expect(INVALID_VALUE, driver.memcpyHtoDAsync(memory, pinned, BYTES, rig.stream(1)));
    rig.use(1);
    ok(driver.memcpyHtoDAsync(memory, pinned, BYTES, rig.stream(1)));
    rig.synchronize(1);
  }

  @Test
  @Tag(DOCUMENTED)
  void pageableMemoryTravelsToADeviceAndBack() {
    long host = rig.pageable(2 * BYTES);
    long memory = rig.classic(0, BYTES);
    ByteBuffer window = driver.hostBuffer(host, 2 * BYTES);
    window.putInt(4, 0x12345678).putInt(BYTES + 4, 0);
    ok(driver.memcpyHtoDAsync(memory, host, BYTES, rig.stream(0)));
    ok(driver.memcpyDtoHAsync(host + BYTES, memory, BYTES, rig.stream(0)));
    rig.synchronize(0);
    assertThat(window.getInt(BYTES + 4)).isEqualTo(0x12345678);
  }

  @Test
  @Tag(DOCUMENTED)
  void theUnifiedCopyTakesHostAndDeviceMemory() {
    long pinned = rig.pinned(0, BYTES);
    long memory = rig.classic(0, BYTES);
    ByteBuffer window = driver.hostBuffer(pinned, BYTES);
    window.putInt(0, 0x12345678);
    ok(driver.memcpyAsync(memory, pinned, BYTES, rig.stream(0)));
    rig.synchronize(0);
    window.putInt(0, 0);
    ok(driver.memcpyAsync(pinned, memory, BYTES, rig.stream(0)));
    rig.synchronize(0);
    assertThat(window.getInt(0)).isEqualTo(0x12345678);
  }

  @Test
  @Tag(DOCUMENTED)
  void windowsShareTheMemoryAndItsByteOrder() {
    long pinned = rig.pinned(0, BYTES);
    ByteBuffer whole = driver.hostBuffer(pinned, BYTES);
    ByteBuffer part = driver.hostBuffer(pinned + 100, 8);
    assertThat(whole.isDirect()).isTrue();
    assertThat(part.order()).isEqualTo(ByteOrder.nativeOrder());
    assertThat(part.capacity()).isEqualTo(8);
    part.putLong(0, 0x123456789ABCDEFL);
    assertThat(whole.getLong(100)).isEqualTo(0x123456789ABCDEFL);
  }

  @Test
  @Tag(DOCUMENTED)
  void aWindowHasAtMostTheBytesOfABuffer() {
    long pinned = rig.pinned(0, BYTES);
    assertThatIllegalArgumentException().isThrownBy(() -> driver.hostBuffer(pinned, 1L << 31));
  }
}
