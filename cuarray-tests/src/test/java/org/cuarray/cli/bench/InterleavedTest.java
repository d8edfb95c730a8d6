package org.cuarray.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InterleavedTest {
  private final List<String> done = new ArrayList<>();

  @Test
  void theWaysTakeTurnsAndTakeTurnsInBeingFirst() {
    List<double[]> samples = measure(new Pace(Duration.ZERO, Duration.ZERO, 3), "a", "b", "c");

    assertThat(samples).hasSize(3).allSatisfy(each -> assertThat(each).hasSize(3));
    // The first round warms up.
    assertThat(done).containsExactly("a", "b", "c", "a", "b", "c", "b", "c", "a", "c", "a", "b");
  }

  @Test
  void samplesBelongToTheirWay() {
    Pace pace = new Pace(Duration.ZERO, Duration.ZERO, 2);

    List<double[]> samples =
        Interleaved.measure(pace, List.of(new Way("one", () -> 1), new Way("two", () -> 2)));

    assertThat(samples.get(0)).containsOnly(1);
    assertThat(samples.get(1)).containsOnly(2);
  }

  @Test
  void timeMakesMoreRoundsThanTheLeast() {
    Pace pace = new Pace(Duration.ZERO, Duration.ofMillis(20), 1);

    assertThat(measure(pace, "a").get(0).length).isGreaterThan(300);
  }

  private List<double[]> measure(Pace pace, String... names) {
    List<Way> ways = new ArrayList<>();
    for (String name : names) {
      ways.add(
          new Way(
              name,
              () -> {
                done.add(name);
                return 1;
              }));
    }
    return Interleaved.measure(pace, ways);
  }
}
