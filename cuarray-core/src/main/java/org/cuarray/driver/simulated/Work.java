package org.cuarray.driver.simulated;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Something that a stream has to do. */
abstract class Work {
  private static final List<Work> NOTHING = List.of();

  final Stream stream;

  /** What the stream does next. */
  @Nullable Work next;

  /** Work of other streams that has to be done before; always submitted before, too. */
  private List<Work> after = NOTHING;

  private boolean done;

  Work(Stream stream) {
    this.stream = stream;
  }

  /** Begins, or goes on, once all before it is done; true where nothing is left to do. */
  abstract boolean advance();

  /** To be done only after some other work; null for none. */
  final void comesAfter(@Nullable Work other) {
    if (other != null && !other.done) {
      if (after == NOTHING) {
        after = new ArrayList<>(1);
      }
      after.add(other);
    }
  }

  final boolean isDone() {
    return done;
  }

  final void done() {
    done = true;
    // Events keep their recording: what came before it may go.
    after = NOTHING;
  }

  /** Something that has to be done before; null where this can go on. */
  final @Nullable Work obstacle(SplittableRandom random) {
    if (!after.isEmpty()) {
      after.removeIf(Work::isDone);
    }
    return after.isEmpty() ? null : after.get(random.nextInt(after.size()));
  }
}
