package org.cuarray.driver.simulated;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The work that streams were given and have not done: each stream's in its order, and none before
 * what it was told to come after. Everything else is open, and decided by whoever asks for steps.
 */
final class Backlog {
  /** The streams with work left, in an order that depends on the calls alone. */
  private final List<Stream> busy = new ArrayList<>();

  boolean isEmpty() {
    return busy.isEmpty();
  }

  void add(Work work) {
    Stream stream = work.stream;
    Work last = stream.last;
    if (last == null) {
      stream.first = work;
      busy.add(stream);
    } else {
      last.next = work;
    }
    stream.last = work;
  }

  /** Does a step of something that can be done. */
  void step(SplittableRandom random) {
    Stream stream = busy.get(random.nextInt(busy.size()));
    Work first = stream.first;
    if (first != null) {
      stepTowards(first, random);
    }
  }

  /** Does a step of something that has to be done before some work is, or of the work itself. */
  void stepTowards(Work goal, SplittableRandom random) {
    Work work = goal;
    while (true) {
      // What is first in its stream was submitted no later, and an obstacle was submitted earlier:
      // this comes to an end.
      Work first = work.stream.first;
      Work obstacle = first == null ? null : first.obstacle(random);
      if (first == null) {
        return;
      }
      if (obstacle == null) {
        advance(first);
        return;
      }
      work = obstacle;
    }
  }

  private void advance(Work work) {
    boolean finished = true;
    try {
      finished = work.advance();
    } finally {
      if (finished) {
        remove(work);
      }
    }
  }

  private void remove(Work work) {
    Stream stream = work.stream;
    work.done();
    stream.first = work.next;
    work.next = null;
    if (stream.first == null) {
      stream.last = null;
      busy.remove(stream);
    }
  }

  /** A stream with work left that a test picks; null for none. */
  @Nullable Stream busy(Predicate<Stream> test) {
    for (Stream stream : busy) {
      if (test.test(stream)) {
        return stream;
      }
    }
    return null;
  }

  /** Drops the work of a device that is lost: nobody will ever do it, and nobody waits for it. */
  void drop(Device device) {
    for (Stream stream : List.copyOf(busy)) {
      if (stream.device() == device) {
        for (Work work = stream.first; work != null; work = work.next) {
          work.done();
        }
        stream.first = null;
        stream.last = null;
        busy.remove(stream);
      }
    }
  }
}
