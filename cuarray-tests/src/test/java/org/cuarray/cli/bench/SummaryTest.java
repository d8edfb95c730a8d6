package org.cuarray.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class SummaryTest {
  @Test
  void samplesArePutInOrder() {
    assertThat(Summary.of(5, 1, 4, 2, 3)).isEqualTo(new Summary(3, 1, 1.4, 4.6, 5, 5));
  }

  @Test
  void theMedianOfAnEvenNumberLiesBetweenTheMiddleTwo() {
    assertThat(Summary.of(1, 2, 4, 100).median()).isEqualTo(3);
  }

  @Test
  void oneSampleIsEverything() {
    assertThat(Summary.of(7)).isEqualTo(new Summary(7, 7, 7, 7, 7, 1));
  }

  @Test
  void eightInTenOfElevenLieBetweenTheSecondAndTheTenth() {
    Summary summary = Summary.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);

    assertThat(summary.p10()).isEqualTo(1);
    assertThat(summary.p90()).isEqualTo(9);
  }

  @Test
  void theSamplesStayAsTheyWere() {
    double[] samples = {3, 1, 2};

    Summary unused = Summary.of(samples);

    assertThat(samples).containsExactly(3, 1, 2);
  }

  @Test
  void noSamplesAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(Summary::of);
  }
}
