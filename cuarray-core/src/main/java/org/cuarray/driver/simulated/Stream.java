package org.cuarray.driver.simulated;

import org.cuarray.driver.DriverFlags;
import org.jspecify.annotations.Nullable;

/** A stream. */
final class Stream {
  final Context context;
  final int flags;
  final int priority;

  /** 0 for a default stream. */
  long handle;

  /** The work left to do, first to last, see {@link Backlog}; none where streams run eagerly. */
  @Nullable Work first;

  @Nullable Work last;

  /** What the next submission comes after, see {@link CheckedSchedule}. */
  final Clock clock = new Clock();

  /** See {@link Lanes}; -1 before the first submission. */
  int lane = -1;

  /** Of the newest submission in its lane. */
  long position;

  Stream(Context context, int flags, int priority) {
    this.context = context;
    this.flags = flags;
    this.priority = priority;
  }

  Device device() {
    return context.device;
  }

  /** Whether it is the legacy default stream of its context. */
  boolean isDefault() {
    return this == context.defaultStream;
  }

  /** Whether the default stream waits for it, and it for the default stream. */
  boolean isBlocking() {
    return (flags & DriverFlags.STREAM_NON_BLOCKING) == 0 && !isDefault();
  }

  @Override
  public String toString() {
    return (isDefault() ? "the default stream" : "stream 0x%x".formatted(handle))
        + " of device "
        + context.device.ordinal;
  }
}
