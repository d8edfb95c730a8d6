package org.cuarray.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.cli.bench.Unit.GIGABYTES_PER_SECOND;
import static org.cuarray.cli.bench.Unit.HEAP_BYTES;
import static org.cuarray.cli.bench.Unit.MICROSECONDS;

import java.util.List;
import org.junit.jupiter.api.Test;

class TargetTest {
  @Test
  void aStagedCopyIsHeldAgainstTheSlowerLeg() {
    List<Result> results =
        Target.results(
            List.of(
                staged(Figure.CUARRAY, 53),
                staged(StagedWork.DOWN, 55),
                staged(StagedWork.UP, 54)));

    assertThat(results)
        .singleElement()
        .satisfies(
            result -> {
              assertThat(result.work()).isEqualTo("host-staged copy, one way, 1 MiB");
              assertThat(result.baseline()).isEqualTo(54);
              assertThat(result.ratio()).isEqualTo(53.0 / 54);
              assertThat(result.target()).isEqualTo(0.95);
              assertThat(result.met()).isTrue();
            });
  }

  @Test
  void aPingPongIsHeldAgainstBothBaselinesAndHasATargetForOne() {
    List<Result> results =
        Target.results(
            List.of(
                pingPong(Figure.CUARRAY, 7),
                pingPong(PingPongWork.RAW_ORDERED, 6.6),
                pingPong(PingPongWork.RAW_LEAST, 5)));

    assertThat(results).extracting(Result::met).containsExactly(true, null);
    assertThat(results).extracting(Result::ratio).containsExactly(6.6 / 7, 5.0 / 7);
  }

  @Test
  void theFirstPairOfDevicesCounts() {
    Figure other =
        new Figure(
            Row.STAGED.rowName(),
            StagedWork.ONE_WAY,
            StagedWork.DOWN,
            1,
            0,
            1 << 20,
            "GB/s",
            Summary.of(10));

    List<Result> results =
        Target.results(List.of(staged(Figure.CUARRAY, 53), other, staged(StagedWork.UP, 54)));

    assertThat(results).extracting(Result::baseline).containsExactly(54.0);
  }

  @Test
  void garbageIsHeldAgainstNothing() {
    assertThat(Target.results(List.of(garbage(0)))).extracting(Result::met).containsExactly(true);
    assertThat(Target.results(List.of(garbage(0.5))))
        .extracting(Result::met)
        .containsExactly(false);
  }

  @Test
  void whatWasNotMeasuredHasNoResult() {
    assertThat(Target.results(List.of())).isEmpty();
    assertThat(Target.results(List.of(staged(Figure.CUARRAY, 53)))).isEmpty();
    assertThat(Target.results(List.of(staged(StagedWork.UP, 54)))).isEmpty();
  }

  private static Figure staged(String who, double median) {
    return Reports.figure(Row.STAGED, StagedWork.ONE_WAY, who, GIGABYTES_PER_SECOND, median);
  }

  private static Figure pingPong(String who, double median) {
    return Reports.figure(Row.PINGPONG, PingPongWork.PING_PONG, who, MICROSECONDS, median);
  }

  private static Figure garbage(double median) {
    return Reports.figure(Row.GARBAGE, GarbageWork.PEER, Figure.CUARRAY, HEAP_BYTES, median);
  }
}
