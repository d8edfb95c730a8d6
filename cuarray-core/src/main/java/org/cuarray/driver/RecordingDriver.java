package org.cuarray.driver;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/**
 * Remembers the driver calls that were made, so that a test can assert what really happened rather
 * than what was planned. Thread-safe; calls stand in the order in which they returned.
 */
public final class RecordingDriver {
  /**
   * One driver call.
   *
   * @param name in the driver's words, such as {@code cuMemcpyPeerAsync}
   * @param arguments as given; arrays are shown as they were when the call returned
   * @param status what the caller saw
   */
  public record Call(String name, List<Object> arguments, int status) {
    /**
     * An argument that is a number.
     *
     * @param index from 0
     * @return its value as a long
     */
    public long argument(int index) {
      return ((Number) arguments.get(index)).longValue();
    }
  }

  /** No lock: a virtual thread that waited for it might leave the carrier that has its context. */
  private final Queue<Call> calls = new ConcurrentLinkedQueue<>();

  private final CudaDriver driver;

  /**
   * Wraps a driver.
   *
   * @param recorded does the work
   */
  public RecordingDriver(CudaDriver recorded) {
    driver =
        InterceptedDriver.around(
            recorded,
            (call, arguments, proceed) -> {
              int status = proceed.call();
              calls.add(new Call(call, snapshot(arguments), status));
              return status;
            });
  }

  /**
   * The driver to use in place of the wrapped one.
   *
   * @return always the same object
   */
  public CudaDriver driver() {
    return driver;
  }

  /** Forgets what was recorded so far. */
  public void clear() {
    calls.clear();
  }

  /**
   * All calls since the last {@link #clear}.
   *
   * @return a copy
   */
  public ImmutableList<Call> calls() {
    return ImmutableList.copyOf(calls);
  }

  /**
   * The calls of some kinds since the last {@link #clear}.
   *
   * @param names in the driver's words
   * @return a copy
   */
  public ImmutableList<Call> calls(String... names) {
    Set<String> wanted = Set.of(names);
    return calls().stream()
        .filter(call -> wanted.contains(call.name()))
        .collect(Collectors.collectingAndThen(Collectors.toList(), ImmutableList::copyOf));
  }

  private static List<Object> snapshot(Object[] arguments) {
    List<Object> copy = new ArrayList<>(arguments.length);
    for (Object argument : arguments) {
      if (argument instanceof long[] longs) {
        copy.add(longs.clone());
      } else if (argument instanceof int[] ints) {
        copy.add(ints.clone());
      } else if (argument instanceof byte[] bytes) {
        copy.add(bytes.clone());
      } else {
        copy.add(argument);
      }
    }
    return copy;
  }
}
