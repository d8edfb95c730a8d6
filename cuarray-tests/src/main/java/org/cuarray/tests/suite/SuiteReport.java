package org.cuarray.tests.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.cuarray.tests.suite.TestOutcome.Result;

/** A run's outcomes as counts, as a closing line and as JSON. */
record SuiteReport(List<TestOutcome> outcomes) {
  long count(Result result) {
    return outcomes.stream().filter(outcome -> outcome.result() == result).count();
  }

  /** Whether something ran and nothing failed. */
  boolean passed() {
    return count(Result.FAILED) == 0 && count(Result.PASSED) > 0;
  }

  String closingLine() {
    return count(Result.PASSED)
        + " passed, "
        + count(Result.FAILED)
        + " failed, "
        + count(Result.SKIPPED)
        + " skipped";
  }

  void writeTo(Path file) throws IOException {
    Files.writeString(file, json());
  }

  String json() {
    StringJoiner tests = new StringJoiner(",\n    ", "[\n    ", "\n  ]").setEmptyValue("[]");
    for (TestOutcome outcome : outcomes) {
      tests.add(
          String.format(
              Locale.ROOT,
              "{\"name\": %s, \"result\": \"%s\", \"seconds\": %.6f, \"detail\": %s}",
              quoted(outcome.name()),
              outcome.result().word(),
              outcome.seconds(),
              quoted(outcome.detail())));
    }
    return String.format(
        Locale.ROOT,
        "{%n  \"passed\": %d,%n  \"failed\": %d,%n  \"skipped\": %d,%n  \"tests\": %s%n}%n",
        count(Result.PASSED),
        count(Result.FAILED),
        count(Result.SKIPPED),
        tests);
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      if (character == '"' || character == '\\') {
        quoted.append('\\').append(character);
      } else if (character < ' ') {
        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) character));
      } else {
        quoted.append(character);
      }
    }
    return quoted.append('"').toString();
  }
}
