package org.cuarray.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.cuarray.tests.conformance.DriverRig.ok;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.cuarray.CuClosedException;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.multidevice.Threads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StagingRingTest {
  private final SimulatedDriver machine = SimulatedDriver.of(Preset.PCIE, 1);

  @Test
  void whoeverWaitsForASlotOfARingThatIsClosedIsRefused() throws Exception {
    ok(machine.init(0));
    StagingRing ring = new StagingRing(machine, new StagingMemory(machine), 4096, 1, 1);
    ring.begin(0, 1);
    StagingSlot only = ring.take();
    FutureTask<Void> close = new FutureTask<>(ring::close, null);
    Threads.startAndAwaitItsWaiting(close);
    List<FutureTask<StagingSlot>> waiting =
        List.of(new FutureTask<>(ring::take), new FutureTask<>(ring::take));
    waiting.forEach(Threads::startAndAwaitItsWaiting);
    ring.giveBack(only);
    close.get();
    for (FutureTask<StagingSlot> one : waiting) {
      assertThatExceptionOfType(ExecutionException.class)
          .isThrownBy(one::get)
          .withCauseInstanceOf(CuClosedException.class);
    }
    assertThat(machine.findings()).isEmpty();
  }
}
