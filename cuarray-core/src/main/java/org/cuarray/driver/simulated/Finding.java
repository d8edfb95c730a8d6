package org.cuarray.driver.simulated;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A misuse that the simulated machine noticed, which a real one would have let pass.
 *
 * @param kind what went wrong
 * @param message in words, with addresses, bytes and devices
 * @param places the operations concerned and where each was submitted; their stacks are empty where
 *     the machine was built {@linkplain SimulatedDriver.Builder#withoutPlaces without places}
 */
public record Finding(Kind kind, String message, List<Place> places) {

  /** What went wrong. */
  public enum Kind {
    /** An operation on memory that was freed before. */
    USE_AFTER_FREE,
    /** Memory was freed while an operation submitted before was still using it. */
    FREE_IN_FLIGHT,
    /** An operation on memory whose allocation it was not ordered after. */
    USE_BEFORE_READY,
    /** Two operations on the same bytes, one of them writing, with no order between them. */
    UNORDERED_ACCESS,
    /** Memory that nobody freed. */
    LEAK
  }

  /**
   * One operation.
   *
   * @param operation what was done, such as {@code allocated}
   * @param stack where, innermost frame first
   */
  public record Place(String operation, List<StackTraceElement> stack) {
    static Place of(String operation, Trace trace) {
      String own = Finding.class.getPackageName();
      return new Place(
          operation,
          Arrays.stream(trace.getStackTrace())
              .dropWhile(frame -> frame.getClassName().startsWith(own))
              .toList());
    }

    @Override
    public String toString() {
      return operation
          + stack.stream().map(frame -> "\n      at " + frame).collect(Collectors.joining());
    }
  }

  @Override
  public String toString() {
    return kind
        + ": "
        + message
        + places.stream().map(place -> "\n    " + place).collect(Collectors.joining());
  }
}
