package org.cuarray.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.cuarray.MemoryKind;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.InterceptedDriver;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.registry.ForeignPointers.ForeignAllocation;
import org.cuarray.stream.AccessMode;
import org.cuarray.stream.Hold;
import org.cuarray.stream.Operation;
import org.cuarray.stream.OrderedStream;
import org.cuarray.tests.multidevice.Threads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whose order foreign memory gets when its addresses were wrapped before. */
@Timeout(60)
class ForeignMemoryTest {
  private static final long BASE = 1 << 20;
  private static final long BYTES = 100;

  private final AtomicReference<Runnable> atFirstWait = new AtomicReference<>();
  private final CudaDriver driver =
      InterceptedDriver.around(
          SimulatedDriver.builder().preset(Preset.NVLINK).devices(2).seed(1).build(),
          (call, arguments, proceed) -> {
            Runnable other = call.equals("cuEventSynchronize") ? atFirstWait.getAndSet(null) : null;
            if (other != null) {
              other.run();
            }
            return proceed.call();
          });
  private final ForeignMemory memory = ForeignMemory.of(driver);

  private Owner adopt(long bytes) {
    return adopt(BASE, bytes);
  }

  private Owner adopt(long base, long bytes) {
    return memory.adopt(new ForeignAllocation(base, bytes, 0, 1, MemoryKind.CLASSIC, 0));
  }

  private void use(Owner owner) {
    OrderedStream stream = OrderedStream.create(driver, 0, 0);
    Operation step = Operation.begin();
    try {
      int access = step.touches(owner.block().history(), 0, BYTES, AccessMode.WRITE);
      step.lock();
      step.after(access);
      step.enterLast(stream, BASE, 0);
      step.leave();
    } finally {
      step.end();
    }
  }

  @Test
  void whatItsProducerAllocatedAnewIsGivenOutAfterTheUsesOfTheOld() {
    use(adopt(BYTES));
    boolean[] waited = new boolean[1];
    atFirstWait.set(() -> waited[0] = true);
    Owner owner = adopt(2 * BYTES);
    assertThat(waited[0]).as("the host has waited for the uses of the old memory").isTrue();
    assertThat(owner.block().bytes()).isEqualTo(2 * BYTES);
  }

  @Test
  void twoThreadsThatWrapItAtOnceShareOneBlock() throws Exception {
    use(adopt(BYTES));
    FutureTask<Owner> other = new FutureTask<>(() -> adopt(2 * BYTES));
    atFirstWait.set(() -> Threads.startAndAwaitItsWaiting(other));
    Owner owner = adopt(2 * BYTES);
    assertThat(atFirstWait).as("what was to happen meanwhile").hasNullValue();
    assertThat(other.get().block()).isSameAs(owner.block());
  }

  /** As where one pointer is wrapped again and again, each time for a moment. */
  @Test
  void aBlockThatOthersFollowedManyTimesOverIsForgottenWithoutWaitingForTheirUses() {
    for (int i = 0; i < ForeignMemory.MOST_RETIRED; i++) {
      adopt(BYTES).close();
    }
    Hold hold = hold(adopt(BYTES));
    adopt(2 * BASE, BYTES).close();
    assertThat(adopt(3 * BASE, BYTES).isClosed()).isFalse();
    hold.release();
  }

  @Test
  void theUsesOfABlockThatManyOthersFollowedAreOverWhenItIsForgotten() {
    Owner used = adopt(BYTES);
    use(used);
    used.close();
    boolean[] waited = new boolean[1];
    atFirstWait.set(() -> waited[0] = true);
    for (int i = 0; i <= ForeignMemory.MOST_RETIRED; i++) {
      adopt((2 + i) * BASE, BYTES).close();
    }
    assertThat(waited[0]).as("the host has waited for its uses").isTrue();
  }

  private static Hold hold(Owner owner) {
    Operation step = Operation.begin();
    try {
      int access = step.touches(owner.block().history(), 0, BYTES, AccessMode.WRITE);
      step.lock();
      return step.hold(access, "a lease");
    } finally {
      step.end();
    }
  }
}
