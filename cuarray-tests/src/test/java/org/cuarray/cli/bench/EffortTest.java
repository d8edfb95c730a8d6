package org.cuarray.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EffortTest {
  @Test
  void sizesGoFromFourBytesToTheLargest() {
    assertThat(Effort.FULL.sizesUpTo(4L << 30))
        .hasSize(16)
        .startsWith(4L, 16L, 64L)
        .endsWith(1L << 30, 4L << 30);
    assertThat(Effort.QUICK.sizesUpTo(4L << 30)).contains(4L, 1L << 10, 64L << 20, 1L << 30);
  }

  @Test
  void noSizeIsAboveTheLargest() {
    assertThat(Effort.FULL.sizesUpTo(100)).containsExactly(4L, 16L, 64L);
  }

  @Test
  void everyTimeIsScaled() {
    Effort half = Effort.FULL.times(0.5);

    assertThat(half.warmUp()).isEqualTo(Effort.FULL.warmUp().dividedBy(2));
    assertThat(half.curves()).isEqualTo(Effort.FULL.curves().dividedBy(2));
    assertThat(half.name()).isEqualTo("full");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN})
  void noTimeIsRefused(double factor) {
    assertThatIllegalArgumentException().isThrownBy(() -> Effort.FULL.times(factor));
  }

  @Test
  void pointsShareTheTimeOfTheCurves() {
    assertThat(Effort.QUICK.ofPoint(100).measuring())
        .isEqualTo(Effort.QUICK.curves().dividedBy(100));
  }

  @Test
  void whatIsWarmNeedsLess() {
    assertThat(Effort.QUICK.ofWarmLatency().warmUp()).isLessThan(Effort.QUICK.ofLatency().warmUp());
    assertThat(Effort.QUICK.warmUp()).isGreaterThan(Duration.ofSeconds(1));
  }

  @ParameterizedTest
  @CsvSource({"1, 256", "39062, 256", "39063, 256", "1000000, 10", "20000000, 1", "9999999, 2"})
  void copiesBackToBackLastAboutTenMilliseconds(double nanosEach, int copies) {
    assertThat(Batch.sizeFor(nanosEach)).isEqualTo(copies);
  }
}
