package org.cuarray.driver.simulated;

/** Passing an event. */
final class Recording extends Work {
  private final Event event;

  Recording(Stream stream, Event event) {
    super(stream);
    this.event = event;
  }

  @Override
  boolean advance() {
    // Recorded again meanwhile, the event no longer stands for this point.
    if (event.recording == this) {
      event.recordedAt = System.nanoTime();
    }
    return true;
  }
}
