package org.cuarray.driver.simulated;

import org.cuarray.driver.DriverFlags;

/** An event: the point of its last recording. */
final class Event {
  final Context context;
  final int flags;
  boolean recorded;

  /** Of the last recording, on the clock of {@link System#nanoTime}. */
  long recordedAt;

  Event(Context context, int flags) {
    this.context = context;
    this.flags = flags;
  }

  boolean isTimed() {
    return (flags & DriverFlags.EVENT_DISABLE_TIMING) == 0;
  }
}
