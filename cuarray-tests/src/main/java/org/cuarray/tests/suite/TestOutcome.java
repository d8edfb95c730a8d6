package org.cuarray.tests.suite;

import java.time.Duration;
import java.util.Locale;

/**
 * What became of one test.
 *
 * @param name its class and method as people read them
 * @param result passed, failed or skipped
 * @param time how long it ran; 0 where it was skipped
 * @param detail the stack trace of a failure, the reason of a skip, else empty
 */
record TestOutcome(String name, Result result, Duration time, String detail) {
  enum Result {
    PASSED,
    FAILED,
    SKIPPED;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  double seconds() {
    return time.toNanos() / 1e9;
  }
}
