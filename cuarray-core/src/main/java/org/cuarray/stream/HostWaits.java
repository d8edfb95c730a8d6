package org.cuarray.stream;

import org.cuarray.CuDeviceLostException;
import org.cuarray.CuException;

/** Work that the host has to wait for before it may do something irrevocable. */
public final class HostWaits {
  private static final int ATTEMPTS = 3;
  private static final System.Logger LOG = System.getLogger("org.cuarray");

  private final MarkSet marks = new MarkSet();

  HostWaits(MarkSet waits) {
    marks.set(waits);
  }

  /** For one submission. */
  public static HostWaits of(OrderedStream stream, long ticket) {
    MarkSet one = new MarkSet();
    one.add(stream, ticket);
    return new HostWaits(one);
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

  /**
   * Like {@link #await}, before something that must not happen too early. What a lost device was
   * doing has ended with it; an error that is somebody else's to hear of is met once, so the wait
   * is tried again.
   *
   * @return false where the driver would not say, and some of it may still be running
   */
  public boolean awaitEnd() {
    boolean over = true;
    for (int i = 0; i < marks.size(); i++) {
      over &= hasEnded(marks.stream(i), marks.ticket(i));
    }
    return over;
  }

  private static boolean hasEnded(OrderedStream stream, long ticket) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        stream.hostWaitAsleep(ticket);
        return true;
      } catch (CuDeviceLostException e) {
        return true;
      } catch (CuException e) {
        LOG.log(System.Logger.Level.DEBUG, "an error was met while waiting to free memory", e);
      }
    }
    return false;
  }

  /** Like {@link #await}, spinning in the driver: for callers that want the value at once. */
  public void awaitBusily() {
    for (int i = 0; i < marks.size(); i++) {
      marks.stream(i).hostWait(marks.ticket(i));
    }
  }
}
