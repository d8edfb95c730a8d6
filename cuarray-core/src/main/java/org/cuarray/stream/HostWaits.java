package org.cuarray.stream;

/** Work that the host has to wait for before it may do something irrevocable. */
public final class HostWaits {
  private final MarkSet marks = new MarkSet();

  HostWaits(MarkSet waits) {
    marks.set(waits);
  }

  /**
   * Blocks until all of it has completed, asleep. Holds no lock while it waits.
   *
   * @throws RuntimeException the failure that a device met meanwhile
   */
  public void await() {
    for (int i = 0; i < marks.size(); i++) {
      marks.stream(i).hostWaitAsleep(marks.ticket(i));
    }
  }

  /** Like {@link #await}, spinning in the driver: for callers that want the value at once. */
  public void awaitBusily() {
    for (int i = 0; i < marks.size(); i++) {
      marks.stream(i).hostWait(marks.ticket(i));
    }
  }
}
