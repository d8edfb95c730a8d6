package org.cuarray.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class UnitTest {
  @Test
  void bytesInANanosecondAreGigabytesInASecond() {
    assertThat(Unit.GIGABYTES_PER_SECOND.of(10, 3960)).isEqualTo(396);
  }

  @Test
  void timesAreScaled() {
    assertThat(Unit.MICROSECONDS.of(1400, 4096)).isEqualTo(1.4);
    assertThat(Unit.MILLISECONDS.of(2_500_000, 4096)).isEqualTo(2.5);
  }

  @Test
  void garbageIsCountedAsItIs() {
    assertThat(Unit.HEAP_BYTES.of(24, 4096)).isEqualTo(24);
  }

  @ParameterizedTest
  @EnumSource
  void everyUnitIsFoundByItsSymbol(Unit unit) {
    assertThat(Unit.named(unit.symbol())).isEqualTo(unit);
  }

  @Test
  void otherSymbolsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Unit.named("furlongs"))
        .withMessageContaining("furlongs");
  }
}
