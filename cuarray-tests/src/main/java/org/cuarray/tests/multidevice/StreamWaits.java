package org.cuarray.tests.multidevice;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.cuarray.driver.RecordingDriver.Call;

/** Which stream was made to wait for which, read off recorded calls. */
public final class StreamWaits {
  /**
   * One wait.
   *
   * @param waiter the stream that waits
   * @param waitedFor the stream whose event it waits for
   */
  public record Wait(long waiter, long waitedFor) {}

  private final List<Wait> waits = new ArrayList<>();

  private final Set<Long> transferring = new HashSet<>();

  /**
   * Reads calls.
   *
   * @param earlier calls before those in question, which may have recorded their events
   * @param calls the calls in question
   */
  public StreamWaits(List<Call> earlier, List<Call> calls) {
    Map<Long, Long> recordedOn = new HashMap<>();
    earlier.forEach(call -> noteEvent(call, recordedOn));
    for (Call call : calls) {
      noteEvent(call, recordedOn);
      if (call.name().equals("cuStreamWaitEvent")) {
        waits.add(
            new Wait(call.argument(0), recordedOn.getOrDefault(call.argument(1), Long.MIN_VALUE)));
      }
    }
    transferring.addAll(streams(calls));
  }

  /** The streams of the calls that move bytes, call by call. */
  static List<Long> streams(List<Call> calls) {
    // The stream is the last argument of every asynchronous transfer.
    return CopyCalls.transfers(calls).stream()
        .map(transfer -> transfer.argument(transfer.arguments().size() - 1))
        .toList();
  }

  private static void noteEvent(Call call, Map<Long, Long> recordedOn) {
    if (call.name().equals("cuEventRecord")) {
      recordedOn.put(call.argument(0), call.argument(1));
    }
  }

  /**
   * All waits.
   *
   * @return in order
   */
  public List<Wait> all() {
    return waits;
  }

  /**
   * The streams that moved bytes.
   *
   * @return their handles
   */
  public Set<Long> transferring() {
    return transferring;
  }
}
