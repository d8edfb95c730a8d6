package org.cuarray.tests.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.cuarray.Launch;
import org.junit.jupiter.api.Test;

class LaunchTest {
  @Test
  void thereAreBlocksEnoughForEveryElement() {
    assertThat(Launch.over(1).grid()).containsExactly(1, 1, 1);
    assertThat(Launch.over(256).grid()).containsExactly(1, 1, 1);
    assertThat(Launch.over(257).grid()).containsExactly(2, 1, 1);
    assertThat(Launch.over(257).block()).containsExactly(256, 1, 1);
    assertThat(Launch.over(1000, 100).grid()).containsExactly(10, 1, 1);
    assertThat(Launch.over(0).grid()).containsExactly(0, 1, 1);
    assertThat(Launch.over(Long.MAX_VALUE, 2).grid()).containsExactly(1L << 62, 1, 1);
  }

  @Test
  void eachPartCanBeReplaced() {
    Launch launch = Launch.of(7, 32).grid(4, 5, 6).block(8, 9, 2).shared(1024);
    assertThat(launch.grid()).containsExactly(4, 5, 6);
    assertThat(launch.block()).containsExactly(8, 9, 2);
    assertThat(launch.sharedBytes()).isEqualTo(1024);
    assertThat(launch)
        .hasToString("grid [4, 5, 6] of blocks [8, 9, 2] with 1024 bytes of shared memory each")
        .isEqualTo(Launch.of(1, 1).shared(1024).block(8, 9, 2).grid(4, 5, 6))
        .hasSameHashCodeAs(Launch.of(1, 1).shared(1024).block(8, 9, 2).grid(4, 5, 6))
        .isNotEqualTo(Launch.of(7, 32));
  }

  @Test
  void numbersOutOfRangeAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Launch.over(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> Launch.over(1, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> Launch.of(-1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> Launch.over(1).grid(1, -1, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Launch.over(1).block(1, 1, 0))
        .withMessageContaining("[1, 1, 0]");
    assertThatIllegalArgumentException().isThrownBy(() -> Launch.over(1).shared(-1));
  }
}
