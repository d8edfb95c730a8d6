package org.cuarray.driver.simulated;

import org.cuarray.driver.DriverFlags;
import org.jspecify.annotations.Nullable;

/** An event: the point of its last recording. */
final class Event {
  final Context context;
  final int flags;
  boolean recorded;

  /** Of the last recording that was passed, on the clock of {@link System#nanoTime}. */
  long recordedAt;

  /** The last recording where it is work of its own; none where streams run eagerly. */
  @Nullable Work recording;

  /** What the last recording comes after, itself included; see {@link CheckedSchedule}. */
  @Nullable Clock clock;

  Event(Context context, int flags) {
    this.context = context;
    this.flags = flags;
  }

  boolean isTimed() {
    return (flags & DriverFlags.EVENT_DISABLE_TIMING) == 0;
  }
}
