package org.cuarray.tests.examples;

import com.google.common.collect.ImmutableMap;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.cuarray.driver.RecordingDriver.Call;

/**
 * What comes after what on the devices, read off recorded driver calls: on one stream in turn, and
 * across streams where one waits for an event of the other. What has no order can overlap.
 */
final class RecordedOrder {
  /** By call: the index of the stream among its arguments. */
  private static final ImmutableMap<String, Integer> WORK =
      ImmutableMap.<String, Integer>builder()
          .put("cuLaunchKernel", 8)
          .put("cuMemcpyPeerAsync", 5)
          .put("cuMemcpyDtoDAsync", 3)
          .put("cuMemcpyDtoHAsync", 3)
          .put("cuMemcpyHtoDAsync", 3)
          .put("cuMemsetD8Async", 3)
          .put("cuMemsetD16Async", 3)
          .put("cuMemsetD32Async", 3)
          .build();

  /**
   * A kernel or a copy.
   *
   * @param number its place among all work
   * @param call that submitted it
   * @param earlier the numbers of all work that it comes after
   */
  record Work(int number, Call call, BitSet earlier) {
    boolean isKernel() {
      return call.name().equals("cuLaunchKernel");
    }

    /** Whether it begins only when another is done. */
    boolean comesAfter(Work other) {
      return earlier.get(other.number);
    }
  }

  private RecordedOrder() {}

  /** All work among some calls, in the order of submission. */
  static List<Work> of(List<Call> calls) {
    List<Work> all = new ArrayList<>();
    Map<Long, BitSet> onStream = new HashMap<>();
    Map<Long, BitSet> atEvent = new HashMap<>();
    for (Call call : calls) {
      Integer stream = WORK.get(call.name());
      if (stream != null) {
        BitSet before = before(onStream, call.argument(stream));
        all.add(new Work(all.size(), call, (BitSet) before.clone()));
        before.set(all.size() - 1);
      } else if (call.name().equals("cuEventRecord")) {
        atEvent.put(call.argument(0), (BitSet) before(onStream, call.argument(1)).clone());
      } else if (call.name().equals("cuStreamWaitEvent")) {
        before(onStream, call.argument(0)).or(atEvent.getOrDefault(call.argument(1), new BitSet()));
      }
    }
    return all;
  }

  private static BitSet before(Map<Long, BitSet> onStream, long stream) {
    return onStream.computeIfAbsent(stream, any -> new BitSet());
  }
}
