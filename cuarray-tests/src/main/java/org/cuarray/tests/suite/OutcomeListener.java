package org.cuarray.tests.suite;

import com.google.common.base.Throwables;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.cuarray.tests.suite.TestOutcome.Result;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Prints each test's outcome when it is known, and keeps it. Thread-safe. */
final class OutcomeListener implements TestExecutionListener {
  private final Map<TestIdentifier, Long> starts = new ConcurrentHashMap<>();
  private final List<TestOutcome> outcomes = new ArrayList<>();
  private final PrintStream out;
  private TestPlan plan;

  OutcomeListener(PrintStream out) {
    this.out = out;
  }

  /** In the order in which they ended. */
  synchronized List<TestOutcome> outcomes() {
    return List.copyOf(outcomes);
  }

  @Override
  public synchronized void testPlanExecutionStarted(TestPlan started) {
    plan = started;
  }

  @Override
  public void executionStarted(TestIdentifier identifier) {
    starts.put(identifier, System.nanoTime());
    if (identifier.isTest()) {
      // A crash in native code ends the process without another word: say first what runs.
      System.err.println("started " + name(identifier));
    }
  }

  @Override
  public synchronized void executionSkipped(TestIdentifier identifier, String reason) {
    if (identifier.isTest()) {
      add(new TestOutcome(name(identifier), Result.SKIPPED, Duration.ZERO, reason));
      return;
    }
    // A skipped class says nothing about its tests; a factory's tests are not known yet.
    List<TestIdentifier> tests =
        plan.getDescendants(identifier).stream().filter(TestIdentifier::isTest).toList();
    for (TestIdentifier test : tests.isEmpty() ? List.of(identifier) : tests) {
      add(new TestOutcome(name(test), Result.SKIPPED, Duration.ZERO, reason));
    }
  }

  @Override
  public synchronized void executionFinished(TestIdentifier identifier, TestExecutionResult ended) {
    Duration time = Duration.ofNanos(System.nanoTime() - starts.remove(identifier));
    String detail = ended.getThrowable().map(Throwables::getStackTraceAsString).orElse("");
    if (ended.getStatus() == Status.FAILED) {
      // A class that fails before or after its tests counts as a test that failed.
      add(new TestOutcome(name(identifier), Result.FAILED, time, detail));
    } else if (ended.getStatus() == Status.ABORTED) {
      String reason = ended.getThrowable().map(Throwable::getMessage).orElse("aborted");
      add(new TestOutcome(name(identifier), Result.SKIPPED, Duration.ZERO, reason));
    } else if (identifier.isTest()) {
      add(new TestOutcome(name(identifier), Result.PASSED, time, detail));
    }
  }

  private void add(TestOutcome outcome) {
    outcomes.add(outcome);
    out.printf(
        Locale.ROOT,
        "%-7s %9.3f s  %s%n",
        outcome.result().word(),
        outcome.seconds(),
        outcome.name());
    if (!outcome.detail().isEmpty()) {
      out.println("        " + outcome.detail().strip().replace("\n", "\n        "));
    }
    // A test that takes the process down must not take the earlier lines with it.
    out.flush();
  }

  /** The names on the way down from the class, without the engine's. */
  private String name(TestIdentifier identifier) {
    String name = identifier.getDisplayName();
    TestIdentifier at = identifier;
    while (true) {
      TestIdentifier parent = plan.getParent(at).orElse(null);
      if (parent == null || plan.getParent(parent).isEmpty()) {
        return name;
      }
      name = parent.getDisplayName() + " > " + name;
      at = parent;
    }
  }
}
