package org.cuarray.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import org.cuarray.CuClosedException;
import org.cuarray.MemoryKind;
import org.junit.jupiter.api.Test;

class OutstandingTest {
  private final Block block = Block.empty(0, MemoryKind.CLASSIC);
  private final Outstanding outstanding = new Outstanding();

  @Test
  void whatIsOutIsCountedUntilItComesBack() {
    assertThat(outstanding.letOut(() -> block)).isSameAs(block);
    assertThat(outstanding.close(Duration.ZERO)).isEqualTo(1);
    outstanding.comeBack();
    assertThat(outstanding.close(Duration.ofDays(1))).isZero();
  }

  @Test
  void nothingGoesOutAnyMoreOnceItIsClosed() {
    assertThat(outstanding.close(Duration.ofDays(1))).isZero();
    assertThatExceptionOfType(CuClosedException.class)
        .isThrownBy(() -> outstanding.letOut(() -> block));
    assertThat(outstanding.close(Duration.ofDays(1))).isZero();
  }

  @Test
  void anAllocationThatFailedIsNotOut() {
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(
            () ->
                outstanding.letOut(
                    () -> {
                      throw new ArithmeticException("thrown by this test");
                    }));
    assertThat(outstanding.close(Duration.ofDays(1))).isZero();
  }
}
