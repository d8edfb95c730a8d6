package org.cuarray.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.cli.bench.Unit.GIGABYTES_PER_SECOND;
import static org.cuarray.cli.bench.Unit.HEAP_BYTES;
import static org.cuarray.cli.bench.Unit.MICROSECONDS;

import org.junit.jupiter.api.Test;

class ResultTest {
  @Test
  void twiceTheBandwidthIsTwiceAsGood() {
    Result result = Result.of("copy", GIGABYTES_PER_SECOND, 20, 10, "other", 1.5);

    assertThat(result).isEqualTo(new Result("copy", "GB/s", 20, 10, "other", 2, 1.5, true));
  }

  @Test
  void twiceTheTimeIsHalfAsGood() {
    Result result = Result.of("copy", MICROSECONDS, 2, 1, "other", 1 / 1.2);

    assertThat(result.ratio()).isEqualTo(0.5);
    assertThat(result.met()).isFalse();
  }

  @Test
  void atMostOnePointTwoTimesTheTimeIsMetAtOnePointTwo() {
    assertThat(Result.of("copy", MICROSECONDS, 1.2, 1, "other", 1 / 1.2).met()).isTrue();
    assertThat(Result.of("copy", MICROSECONDS, 1.21, 1, "other", 1 / 1.2).met()).isFalse();
  }

  @Test
  void nothingAgainstNothingIsAsGood() {
    assertThat(Result.of("garbage", HEAP_BYTES, 0, 0, "none", 1.0).met()).isTrue();
  }

  @Test
  void anythingAgainstNothingIsNot() {
    Result result = Result.of("garbage", HEAP_BYTES, 24, 0, "none", 1.0);

    assertThat(result.ratio()).isZero();
    assertThat(result.met()).isFalse();
  }

  @Test
  void withoutATargetNothingIsMetOrMissed() {
    assertThat(Result.of("copy", MICROSECONDS, 2, 1, "other", null).met()).isNull();
  }
}
