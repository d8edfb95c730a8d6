package org.cuarray.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PieceCrewTest {
  private final Thread caller = Thread.currentThread();
  private final PieceCrew crew = new PieceCrew(3);

  @Test
  void everyPieceIsMovedOnce() {
    int pieces = 1000;
    AtomicIntegerArray moved = new AtomicIntegerArray(pieces);
    crew.run(pieces, piece -> moved.incrementAndGet((int) piece));
    for (int i = 0; i < pieces; i++) {
      assertThat(moved.get(i)).as("piece %d", i).isEqualTo(1);
    }
  }

  @Test
  void aTransferEndsWithTheLastPieceOfItsHelpers() {
    CountDownLatch begun = new CountDownLatch(2);
    AtomicBoolean returned = new AtomicBoolean();
    AtomicBoolean moved = new AtomicBoolean();
    crew.run(
        3,
        piece -> {
          begun.countDown();
          if (Thread.currentThread() == caller) {
            spinUntilNobodyIsMissing(begun);
          } else {
            while (caller.getState() != Thread.State.WAITING && !returned.get()) {
              Thread.onSpinWait();
            }
            moved.set(true);
          }
        });
    returned.set(true);
    assertThat(moved).isTrue();
  }

  /** Without a wait that a helper could take for that of the whole transfer. */
  private static void spinUntilNobodyIsMissing(CountDownLatch begun) {
    while (begun.getCount() > 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void whatAPieceThrowsReachesTheCallerAndTheNextTransferGoesOn() {
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(
            () ->
                crew.run(
                    10,
                    piece -> {
                      throw new ArithmeticException("thrown by this test");
                    }));
    AtomicBoolean moved = new AtomicBoolean();
    crew.run(1, piece -> moved.set(true));
    assertThat(moved).isTrue();
  }
}
