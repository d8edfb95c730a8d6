package org.cuarray.junit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cuarray.memory.Owner;
import org.cuarray.stream.Releasable;
import org.jspecify.annotations.Nullable;

/** What was made during one test, and what became of it. Thread-safe. */
final class LeakAccount {
  /** The account that the thread had before; a thread may run a test within another one. */
  private final @Nullable LeakAccount outer;

  private final Map<Releasable, Made> made = Collections.synchronizedMap(new LinkedHashMap<>());
  private volatile boolean closed;

  LeakAccount(@Nullable LeakAccount outer) {
    this.outer = outer;
  }

  private static final class Made {
    private final Object subject;
    private final Throwable site;
    private volatile @Nullable String how;

    Made(Object subject, Throwable site) {
      this.subject = subject;
      this.site = site;
    }
  }

  @Nullable LeakAccount outer() {
    return outer;
  }

  boolean isClosed() {
    return closed;
  }

  void close() {
    closed = true;
  }

  void opened(Releasable owner, Object subject) {
    made.put(owner, new Made(subject, new Throwable(subject + " was made here")));
  }

  void leaked(Releasable owner, String how) {
    Made known = made.get(owner);
    if (known != null) {
      known.how = how;
    }
  }

  /** In the order in which they were made. */
  List<Leak> leaks() {
    List<Leak> leaks = new ArrayList<>();
    synchronized (made) {
      made.forEach(
          (owner, each) -> {
            String how = each.how;
            if (how != null) {
              leaks.add(new Leak(name(owner, each), how, each.site));
            } else if (!owner.isClosed()) {
              leaks.add(new Leak(name(owner, each), "was never closed", each.site));
            }
          });
    }
    return leaks;
  }

  private static String name(Releasable owner, Made each) {
    return owner instanceof Owner memory
        ? "%s (%d bytes)".formatted(each.subject, memory.block().bytes())
        : each.subject.toString();
  }
}
