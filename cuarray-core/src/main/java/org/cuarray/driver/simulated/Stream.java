package org.cuarray.driver.simulated;

/** A stream. Here it has no queue: work is done when its call returns. */
final class Stream {
  final Context context;
  final int flags;
  final int priority;

  Stream(Context context, int flags, int priority) {
    this.context = context;
    this.flags = flags;
    this.priority = priority;
  }

  Device device() {
    return context.device;
  }
}
