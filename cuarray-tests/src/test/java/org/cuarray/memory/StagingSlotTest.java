package org.cuarray.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import java.util.concurrent.FutureTask;
import org.cuarray.CuClosedException;
import org.cuarray.driver.RecordingDriver;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.stream.Operation;
import org.cuarray.stream.OrderedStream;
import org.cuarray.tests.multidevice.Threads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StagingSlotTest {
  private final StagingSlot slot = new StagingSlot(1 << 20, ByteBuffer.allocate(100));

  @Test
  void itsMemoryIsKeptUntilTheCopyThatUsesItHasSubmittedAll() throws Exception {
    FutureTask<Boolean> end = new FutureTask<>(slot::retire);
    slot.begin();
    try {
      Threads.startAndAwaitItsWaiting(end);
    } finally {
      slot.end();
    }
    assertThat(end.get()).isTrue();
  }

  @Test
  void isRefusedWhereItsMemoryHasGone() {
    assertThat(slot.retire()).isTrue();
    assertThatExceptionOfType(CuClosedException.class).isThrownBy(slot::begin);
  }

  @Test
  void itsMemoryIsKeptUntilItsLastUseHasCompleted() {
    RecordingDriver recording = new RecordingDriver(SimulatedDriver.of(Preset.PCIE, 1));
    OrderedStream stream = OrderedStream.create(recording.driver(), 0, 0);
    Operation step = Operation.begin();
    try {
      step.enter(stream, 0, 0);
      slot.usedBy(stream, step.leave());
    } finally {
      step.end();
    }
    assertThat(slot.retire()).isTrue();
    assertThat(recording.calls("cuEventSynchronize")).hasSize(1);
    stream.close();
  }
}
