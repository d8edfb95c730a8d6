package org.cuarray.copy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Lists;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.cuarray.CopyStrategy;
import org.cuarray.MemoryKind;
import org.cuarray.memory.Residence;
import org.cuarray.tests.multidevice.Threads;
import org.junit.jupiter.api.Test;

class RouteCacheTest {
  private static final int THREADS = 4;
  private static final int EACH = 200;

  private final RouteCache routes = new RouteCache();

  private static Residence residence(int index) {
    return new Residence(index, 0, 1, MemoryKind.CLASSIC, 0, null);
  }

  private static Route route(String reason) {
    return new Route(CopyStrategy.HOST_STAGED, reason, 0, Route.NEVER);
  }

  @Test
  void theDirectionsOfAPairHaveRoutesOfTheirOwnAndTheLatestStands() {
    Residence one = residence(1);
    Residence other = residence(2);
    routes.put(one, other, route("there"));
    assertThat(routes.get(other, one)).isNull();
    routes.put(other, one, route("back"));
    routes.put(one, other, route("there again"));
    assertThat(routes.get(one, other)).isEqualTo(route("there again"));
    assertThat(routes.get(other, one)).isEqualTo(route("back"));
  }

  @Test
  void noRouteIsLostWhereSeveralThreadsDecide() {
    List<Residence> residences =
        IntStream.rangeClosed(1, THREADS * EACH).mapToObj(RouteCacheTest::residence).toList();
    AtomicLong lost = new AtomicLong();
    List<Runnable> threads = new ArrayList<>();
    for (List<Residence> own : Lists.partition(residences, EACH)) {
      threads.add(
          () -> {
            own.forEach(residence -> routes.put(residence, residence, route("decided")));
            lost.addAndGet(own.stream().filter(r -> routes.get(r, r) == null).count());
          });
    }
    Threads.runTogether(threads);
    assertThat(lost).hasValue(0);
  }
}
