package org.cuarray.memory;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes in the live arrays of one device. Thread-safe. */
public final class Usage {
  private final AtomicLong used = new AtomicLong();
  private final AtomicLong claimed = new AtomicLong();

  void add(long bytes) {
    used.addAndGet(bytes);
  }

  void subtract(long bytes) {
    used.addAndGet(-bytes);
  }

  /** Sets bytes aside for an allocation about to be made, unless that would pass a limit. */
  boolean claim(long bytes, long limit) {
    long together = claimed.addAndGet(bytes) + used.get();
    if (together <= limit && together >= 0) {
      return true;
    }
    unclaim(bytes);
    return false;
  }

  void unclaim(long bytes) {
    claimed.addAndGet(-bytes);
  }

  /** Bytes asked for by arrays that have not been freed. */
  public long used() {
    return used.get();
  }
}
