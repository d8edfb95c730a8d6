package org.cuarray.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.concurrent.FutureTask;
import org.cuarray.CuClosedException;
import org.cuarray.MemoryKind;
import org.cuarray.tests.multidevice.Threads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OwnerTest {
  private final Block block = Block.empty(0, MemoryKind.CLASSIC);
  private final Owner owner = Owner.of(block);

  @Test
  void memoryIsFreedWhenTheLastOwnerHasLetGoHoweverOftenTheOthersDid() {
    Owner other = owner.retain();
    owner.close();
    owner.close();
    assertThat(block.isFreed()).isFalse();
    other.close();
    assertThat(block.isFreed()).isTrue();
  }

  @Test
  void whoeverHasLetGoAndMemoryThatWasFreedHaveNoOtherOwner() {
    Owner other = owner.retain();
    owner.close();
    assertThatExceptionOfType(CuClosedException.class).isThrownBy(owner::retain);
    other.close();
    assertThatExceptionOfType(CuClosedException.class).isThrownBy(other::retain);
    assertThatExceptionOfType(CuClosedException.class).isThrownBy(() -> Owner.of(block));
  }

  @Test
  void anOwnerLetsGoUnderTheLockOfTheHistory() throws Exception {
    FutureTask<Void> close = new FutureTask<>(owner::close, null);
    block.history().whenLocked(() -> Threads.startAndAwaitItsWaiting(close));
    close.get();
    assertThat(block.isFreed()).isTrue();
  }
}
