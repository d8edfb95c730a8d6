package org.cuarray.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.driver.CudaError.INVALID_VALUE;
import static org.cuarray.tests.conformance.DriverRig.expect;
import static org.cuarray.tests.conformance.DriverRig.ok;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Copies and fills, before any peer access was enabled. */
abstract class CopyFacts extends DriverFacts {
  private static final int BYTES = 4096;

  @Test
  @Tag(OBSERVED)
  void copyingZeroBytesIsNothingWhateverThePointers() {
    long one = rig.classic(0, BYTES);
    long other = rig.classic(device, BYTES);
    long stream = rig.stream(0);
    ok(driver.memcpyDtoDAsync(one, one, 0, stream));
    ok(driver.memcpyDtoDAsync(0, 0, 0, stream));
    ok(driver.memcpyPeerAsync(other, rig.context(device), one, rig.context(0), 0, stream));
  }

  @Test
  @Tag(OBSERVED)
  void aNullOrUnknownPointerIsInvalid() {
    long pointer = rig.classic(0, BYTES);
    long stream = rig.stream(0);
    expect(INVALID_VALUE, driver.memcpyDtoDAsync(0, pointer, 16, stream));
    expect(INVALID_VALUE, driver.memcpyDtoDAsync(pointer, 0, 16, stream));
    expect(INVALID_VALUE, driver.memcpyDtoDAsync(0x1234, pointer, 16, stream));
    expect(INVALID_VALUE, driver.memcpyDtoDAsync(pointer, 0x1234, 16, stream));
    rig.synchronize(0);
  }

  @Test
  @Tag(OBSERVED)
  void aCopyPastTheEndIsInvalidAndWritesNothing() {
    long to = rig.classic(0, MIB);
    long from = rig.classic(0, 4 * MIB);
    rig.fill(0, to, 1, MIB);
    rig.fill(0, from, 2, 4 * MIB);
    expect(INVALID_VALUE, driver.memcpyDtoDAsync(to, from, 64 * MIB, rig.stream(0)));
    rig.synchronize(0);
    assertThat(rig.read(0, to, 1)).containsExactly(1);
  }

  @Test
  @Tag(OBSERVED)
  void anOverlappingCopyIsAccepted() {
    long pointer = rig.classic(0, MIB);
    ok(driver.memcpyDtoDAsync(pointer + BYTES, pointer, 16 * BYTES, rig.stream(0)));
    ok(driver.memcpyDtoDAsync(pointer, pointer, 16 * BYTES, rig.stream(0)));
    rig.synchronize(0);
  }

  @Test
  @Tag(DOCUMENTED)
  void aCopyWithinADeviceMovesTheBytes() {
    long from = rig.classic(0, BYTES);
    long to = rig.pooled(0, BYTES);
    rig.fill(0, to, 0, BYTES);
    rig.write(0, from + 10, (byte) 1, (byte) 2, (byte) 3);
    ok(driver.memcpyDtoDAsync(to + 7, from + 10, 3, rig.stream(0)));
    rig.synchronize(0);
    assertThat(rig.read(0, to + 6, 5)).containsExactly(0, 1, 2, 3, 0);
  }

  @Test
  @Tag(OBSERVED)
  void thePeerCopyDoesNotCheckItsContexts() {
    long from = rig.classic(0, BYTES);
    long to = rig.classic(1, BYTES);
    long zero = rig.context(0);
    long one = rig.context(1);
    rig.fill(1, to, 0, BYTES);
    rig.fill(0, from, 3, BYTES);
    ok(driver.memcpyPeerAsync(to, zero, from, one, BYTES, rig.stream(0)));
    rig.synchronize(0);
    assertThat(rig.read(1, to, 2)).containsExactly(3, 3);
    rig.fill(0, from, 4, BYTES);
    ok(driver.memcpyPeerAsync(to, 0, from, 0, BYTES, rig.stream(0)));
    rig.synchronize(0);
    assertThat(rig.read(1, to, 2)).containsExactly(4, 4);
  }

  @Test
  @Tag(OBSERVED)
  void thePeerCopyTakesPointersOfOneDevice() {
    long from = rig.pooled(0, BYTES);
    long to = rig.classic(0, BYTES);
    rig.fill(0, to, 0, BYTES);
    rig.fill(0, from, 5, BYTES);
    ok(driver.memcpyPeerAsync(to, rig.context(0), from, rig.context(0), BYTES, rig.stream(0)));
    rig.synchronize(0);
    assertThat(rig.read(0, to + BYTES - 1, 1)).containsExactly(5);
  }

  @Test
  @Tag(OBSERVED)
  void withoutPeerAccessAPlainCopyIsStagedIntoClassicMemory() {
    long to = rig.classic(1, BYTES);
    for (long from : new long[] {rig.classic(0, BYTES), rig.pooled(0, BYTES)}) {
      rig.fill(1, to, 0, BYTES);
      rig.fill(0, from, 6, BYTES);
      withContext(() -> driver.memcpyAsync(to, from, BYTES, rig.stream(0)));
      rig.synchronize(0);
      assertThat(rig.read(1, to + BYTES - 1, 1)).containsExactly(6);
      rig.fill(1, to, 0, BYTES);
      withContext(() -> driver.memcpyDtoDAsync(to, from, BYTES, rig.stream(0)));
      rig.synchronize(0);
      assertThat(rig.read(1, to + BYTES - 1, 1)).containsExactly(6);
    }
  }

  /**
   * Between two devices without peer access, {@code cuMemcpyAsync} with no current context ends the
   * process with a segmentation fault in driver 580.159.04, explicit stream or not.
   */
  private void withContext(IntSupplier copy) {
    ok(driver.ctxPushCurrent(rig.context(0)));
    ok(copy.getAsInt());
    ok(driver.ctxPopCurrent(new long[1]));
  }

  @Test
  @Tag(OBSERVED)
  void withoutAGrantAPlainCopyIntoAPoolIsInvalid() {
    long to = rig.pooled(1, BYTES);
    rig.fill(1, to, 0, BYTES);
    for (long from : new long[] {rig.classic(0, BYTES), rig.pooled(0, BYTES)}) {
      ok(driver.ctxPushCurrent(rig.context(0)));
      expect(INVALID_VALUE, driver.memcpyAsync(to, from, BYTES, rig.stream(0)));
      expect(INVALID_VALUE, driver.memcpyDtoDAsync(to, from, BYTES, rig.stream(0)));
      ok(driver.ctxPopCurrent(new long[1]));
    }
    rig.synchronize(0);
    assertThat(rig.read(1, to, 1)).containsExactly(0);
  }

  @Test
  @Tag(OBSERVED)
  void withoutPeerAccessThePeerCopyIsStagedBetweenAllKinds() {
    for (long from : new long[] {rig.classic(0, BYTES), rig.pooled(0, BYTES)}) {
      rig.fill(0, from, 8, BYTES);
      for (long to : new long[] {rig.classic(1, BYTES), rig.pooled(1, BYTES)}) {
        rig.fill(1, to, 0, BYTES);
        ok(driver.memcpyPeerAsync(to, rig.context(1), from, rig.context(0), BYTES, rig.stream(0)));
        rig.synchronize(0);
        assertThat(rig.read(1, to + BYTES - 1, 1)).containsExactly(8);
      }
    }
  }

  @Test
  @Tag(OBSERVED)
  void aFillNeedsAStreamOfTheMemorysDevice() {
    long pointer = rig.classic(1, BYTES);
    rig.use(0);
    ok(driver.memsetD8Async(pointer, (byte) 1, BYTES, rig.stream(1)));
    rig.synchronize(1);
    expect(INVALID_VALUE, driver.memsetD8Async(pointer, (byte) 2, BYTES, rig.stream(0)));
    rig.synchronize(0);
    assertThat(rig.read(1, pointer, 1)).containsExactly(1);
  }

  @Test
  @Tag(DOCUMENTED)
  void aFillWritesElementsOfItsWidthAndNoMore() {
    long pointer = rig.classic(0, BYTES);
    long stream = rig.stream(0);
    rig.fill(0, pointer, 0, BYTES);
    ok(driver.memsetD8Async(pointer + 1, (byte) 0x81, 2, stream));
    ok(driver.memsetD16Async(pointer + 6, (short) 0x8182, 1, stream));
    ok(driver.memsetD32Async(pointer + 12, 0x81828384, 1, stream));
    rig.synchronize(0);
    ByteBuffer read = ByteBuffer.wrap(rig.read(0, pointer, 20)).order(ByteOrder.nativeOrder());
    assertThat(read.getInt(0)).isEqualTo(0x00818100);
    assertThat(read.getShort(4)).isZero();
    assertThat(read.getShort(6)).isEqualTo((short) 0x8182);
    assertThat(read.getInt(8)).isZero();
    assertThat(read.getInt(12)).isEqualTo(0x81828384);
    assertThat(read.getInt(16)).isZero();
  }

  @Test
  @Tag(DOCUMENTED)
  void aFillOfUnalignedElementsIsInvalid() {
    long pointer = rig.classic(0, BYTES);
    expect(INVALID_VALUE, driver.memsetD16Async(pointer + 1, (short) 1, 1, rig.stream(0)));
    expect(INVALID_VALUE, driver.memsetD32Async(pointer + 2, 1, 1, rig.stream(0)));
  }
}
