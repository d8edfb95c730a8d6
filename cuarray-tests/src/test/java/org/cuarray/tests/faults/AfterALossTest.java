package org.cuarray.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.cuarray.DType.INT32;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.LogRecord;
import org.cuarray.Access;
import org.cuarray.CuArray;
import org.cuarray.CuDeviceLostException;
import org.cuarray.CuLease;
import org.cuarray.CuRuntime;
import org.cuarray.CuStream;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.array.LogCapture;
import org.cuarray.tests.multidevice.Threads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** What goes on when a device is lost that other devices had to do with. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
class AfterALossTest {
  private static final int LENGTH = 5000;

  private final SimulatedDriver linked =
      SimulatedDriver.builder().preset(Preset.NVLINK).devices(2).seed(1).build();
  private final SimulatedDriver unlinked =
      SimulatedDriver.builder().preset(Preset.PCIE).devices(3).seed(1).build();

  @AfterEach
  void nothingWasMisusedOrLeaked() {
    assertThat(linked.findings()).allMatch(Tolerated::isTolerated);
    assertThat(unlinked.findings()).allMatch(Tolerated::isTolerated);
  }

  private static CuRuntime open(SimulatedDriver machine) {
    return CuRuntime.builder().driver(machine).staging(4 << 10, 2).open();
  }

  @Test
  void anArrayThatWasCopiedToTheLostDeviceGoesOn() {
    try (CuRuntime cuda = open(linked);
        CuArray<Integer> lost = cuda.device(0).zeros(INT32, LENGTH);
        CuArray<Integer> kept = cuda.device(1).full(INT32, 3, LENGTH)) {
      kept.copyTo(lost);
      linked.loseDevice(0);
      assertThat(kept.toArray(INT32)).containsOnly(3);
      kept.fill(4);
      assertThat(kept.toArray(INT32)).containsOnly(4);
    }
  }

  @Test
  void closingTheRuntimeTellsOfALossThatNothingElseHasMet() {
    try (LogCapture log = new LogCapture()) {
      try (CuRuntime cuda = open(linked);
          CuArray<Integer> lost = cuda.device(0).zeros(INT32, LENGTH)) {
        linked.loseDevice(0);
        assertThat(lost.isClosed()).isFalse();
      }
      assertThat(log.records())
          .filteredOn(record -> record.getThrown() instanceof CuDeviceLostException)
          .extracting(LogRecord::getMessage)
          .contains("a device had failed when the runtime was closed");
    }
  }

  @Test
  void anArrayThatWasCopiedFromTheLostDeviceGivesNoWrongBytes() {
    try (CuRuntime cuda = open(linked);
        CuArray<Integer> lost = cuda.device(0).zeros(INT32, LENGTH);
        CuArray<Integer> kept = cuda.device(1).zeros(INT32, LENGTH)) {
      lost.copyTo(kept);
      linked.loseDevice(0);
      assertThatExceptionOfType(CuDeviceLostException.class)
          .isThrownBy(() -> kept.toArray(INT32))
          .satisfies(failure -> assertThat(failure.device()).isZero());
    }
  }

  @Test
  void stagedCopiesBetweenTheOtherDevicesGoOn() {
    try (CuRuntime cuda = open(unlinked);
        CuArray<Integer> source = cuda.device(0).full(INT32, 3, LENGTH);
        CuArray<Integer> lost = cuda.device(1).zeros(INT32, LENGTH);
        CuArray<Integer> kept = cuda.device(2).zeros(INT32, LENGTH)) {
      source.copyTo(lost);
      unlinked.loseDevice(1);
      source.copyTo(kept);
      assertThat(kept.toArray(INT32)).containsOnly(3);
    }
  }

  @Test
  void aLeaseOnTheLostDeviceEnds() {
    try (CuRuntime cuda = open(linked);
        CuArray<Integer> lost = cuda.device(0).zeros(INT32, LENGTH);
        CuArray<Integer> kept = cuda.device(1).zeros(INT32, LENGTH);
        CuStream stream = cuda.device(0).stream()) {
      long[] context = new long[1];
      try (CuLease lease = stream.lease(Access.write(lost))) {
        assertThat(lease.pointer(lost)).isNotZero();
        linked.loseDevice(0);
      } catch (CuDeviceLostException e) {
        assertThat(e.device()).isZero();
      }
      linked.ctxGetCurrent(context);
      assertThat(context[0]).isZero();
      Threads.runTogether(
          List.of(
              () -> {
                try {
                  kept.copyTo(lost);
                } catch (CuDeviceLostException e) {
                  assertThat(e.device()).isZero();
                }
              }));
    }
  }

  @Test
  void aLeaseThatOutlivesItsWrapAndItsDeviceEnds() {
    try (CuRuntime cuda = open(linked);
        CuArray<Integer> lost = cuda.device(0).zeros(INT32, LENGTH);
        CuArray<Integer> kept = cuda.device(1).full(INT32, 3, LENGTH)) {
      CuStream stream = cuda.device(0).wrapStream(0);
      CuLease lease = stream.lease(Access.write(lost));
      stream.close();
      linked.loseDevice(0);
      lease.close();
      assertThat(kept.toArray(INT32)).containsOnly(3);
    }
  }
}
