package org.cuarray.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.multidevice.Threads;
import org.junit.jupiter.api.Test;

class StreamIndexesTest {
  private final StreamIndexes indexes = StreamIndexes.of(SimulatedDriver.of(Preset.NVLINK));

  @Test
  void aNumberThatIsUsedAgainGoesOnCountingTickets() {
    StreamIndexes.Slot slot = indexes.take();
    indexes.giveBack(slot.index(), 17);
    assertThat(indexes.take()).isEqualTo(new StreamIndexes.Slot(slot.index(), 17));
  }

  @Test
  void noTwoThreadsGetTheSameNumber() {
    int threads = 4;
    int each = 20_000;
    Set<Integer> taken = ConcurrentHashMap.newKeySet();
    Threads.runTogether(
        Collections.nCopies(
            threads,
            () -> {
              for (int i = 0; i < each; i++) {
                taken.add(indexes.take().index());
              }
            }));
    assertThat(taken).hasSize(threads * each);
  }
}
