package org.cuarray.tests.multidevice;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.cuarray.driver.RecordingDriver.Call;

/** Which stream was made to wait for which, read off recorded calls. */
final class StreamWaits {
  /** One wait. */
  record Wait(long waiter, long waitedFor) {}

  private final List<Wait> waits = new ArrayList<>();

  private final Set<Long> transferring = new HashSet<>();

  /**
   * Reads calls.
   *
   * @param earlier calls before those in question, which may have recorded their events
   * @param calls the calls in question
   */
  StreamWaits(List<Call> earlier, List<Call> calls) {
    Map<Long, Long> recordedOn = new HashMap<>();
    earlier.forEach(call -> noteEvent(call, recordedOn));
    for (Call call : calls) {
      noteEvent(call, recordedOn);
      if (call.name().equals("cuStreamWaitEvent")) {
        waits.add(
            new Wait(call.argument(0), recordedOn.getOrDefault(call.argument(1), Long.MIN_VALUE)));
      }
    }
    for (Call transfer : CopyCalls.transfers(calls)) {
      // Its stream is the last argument of every asynchronous transfer.
      transferring.add(transfer.argument(transfer.arguments().size() - 1));
    }
  }

  private static void noteEvent(Call call, Map<Long, Long> recordedOn) {
    if (call.name().equals("cuEventRecord")) {
      recordedOn.put(call.argument(0), call.argument(1));
    }
  }

  /** All waits. */
  List<Wait> all() {
    return waits;
  }

  /** The streams that moved bytes. */
  Set<Long> transferring() {
    return transferring;
  }
}
