package org.cuarray.tests.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.DType.FLOAT32;
import static org.cuarray.DType.INT8;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import org.cuarray.CuArray;
import org.cuarray.CuRuntime;
import org.cuarray.CuScope;
import org.cuarray.HostArray;
import org.cuarray.LeakReports;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.junit.LeakCheck;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs classes of tests that leak and others, and looks at what became of each test. */
class LeakCheckTest {
  /** What the tests of a class ended with, by the method's name. */
  private static Map<String, TestExecutionResult> run(Class<?> tests) {
    Map<String, TestExecutionResult> results = new ConcurrentHashMap<>();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(tests))
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter(
                    "junit.jupiter.execution.parallel.config.fixed.parallelism", "2")
                .build(),
            new TestExecutionListener() {
              @Override
              public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                results.put(test.getDisplayName().replace("()", ""), result);
              }
            });
    return results;
  }

  private static Throwable failureOf(Map<String, TestExecutionResult> results, String test) {
    assertThat(results).containsKey(test);
    Optional<Throwable> failure = results.get(test).getThrowable();
    assertThat(failure).as(test).isPresent();
    return failure.get();
  }

  private static void assertPassed(Map<String, TestExecutionResult> results, String... tests) {
    for (String test : tests) {
      assertThat(results).containsKey(test);
      assertThat(results.get(test).getStatus())
          .as("%s: %s", test, results.get(test))
          .isEqualTo(Status.SUCCESSFUL);
    }
  }

  /** A runtime for a class, without any reports of its own. */
  abstract static class WithRuntime {
    static CuRuntime cuda;

    @BeforeAll
    static void open() {
      cuda =
          CuRuntime.builder()
              .driver(SimulatedDriver.of(Preset.NVLINK, 2))
              .leakReports(LeakReports.OFF)
              .open();
    }

    @AfterAll
    static void close() {
      cuda.close();
    }
  }

  @ExtendWith(LeakCheck.class)
  static class Leaky extends WithRuntime {
    @Test
    void leavesAnArrayOpen() {
      CuArray<Float> open = cuda.device(1).zeros(FLOAT32, 3, 4);
      open.fill((Float) 1f);
    }

    @Test
    void leavesTwoOpen() {
      HostArray<Byte> pinned = cuda.device(0).hostArray(INT8, 10);
      CuArray<Byte> array = cuda.device(0).zeros(INT8, 10);
      array.retain();
      array.close();
      pinned.set((byte) 1, 0);
    }

    @Test
    void forgetsAnArrayToTheCleaner() throws InterruptedException {
      makeAndForget();
      while (cuda.device(0).memoryUsage().used() > 0) {
        System.gc();
        Thread.onSpinWait();
      }
    }

    private static void makeAndForget() {
      cuda.device(0).zeros(FLOAT32, 123);
    }

    @Test
    void closesTheRuntimeButNotTheArray() {
      try (CuRuntime own = CuRuntime.open(SimulatedDriver.of(Preset.PCIE, 1))) {
        own.device(0).zeros(FLOAT32, 5);
      }
    }

    @Test
    void failsBesides() {
      cuda.device(0).zeros(FLOAT32, 6);
      throw new IllegalStateException("the test's own failure");
    }

    @Test
    void isAbortedBesides() {
      cuda.device(0).zeros(FLOAT32, 7);
      Assumptions.abort("not today");
    }

    @Test
    void leavesOpenWhatAThreadOfItsOwnMade() throws InterruptedException {
      Thread thread = new Thread(() -> cuda.device(0).zeros(FLOAT32, 8));
      thread.start();
      thread.join();
    }

    @Test
    void leavesAStreamOpen() {
      cuda.device(0).stream("mine", 0);
    }
  }

  @Test
  void aTestThatLeavesSomethingOpenFailsAndNamesIt() {
    Map<String, TestExecutionResult> results = run(Leaky.class);
    assertThat(failureOf(results, "leavesAnArrayOpen"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("the test left 1 open")
        .hasMessageContaining("float32 [3, 4] on cuda:1 (48 bytes) was never closed")
        .hasMessageContaining("Leaky.leavesAnArrayOpen(LeakCheckTest.java:");
    assertThat(failureOf(results, "leavesTwoOpen"))
        .hasMessageContaining("the test left 2 open")
        .hasMessageContaining("int8 [10] in pinned host memory (10 bytes) was never closed")
        .hasMessageContaining("int8 [10] on cuda:0 (10 bytes) was never closed");
    assertThat(failureOf(results, "forgetsAnArrayToTheCleaner"))
        .hasMessageContaining("float32 [123] on cuda:0 (492 bytes) was never closed; it is freed")
        .hasMessageContaining("Leaky.makeAndForget(LeakCheckTest.java:");
    assertThat(failureOf(results, "closesTheRuntimeButNotTheArray"))
        .hasMessageContaining("float32 [5] on cuda:0 (20 bytes) was still open when its runtime");
    assertThat(failureOf(results, "leavesOpenWhatAThreadOfItsOwnMade"))
        .hasMessageContaining("float32 [8] on cuda:0 (32 bytes)");
    assertThat(failureOf(results, "leavesAStreamOpen")).hasMessageContaining("mine on cuda:0");
  }

  @Test
  void theStackTracesAreSuppressedInTheFailure() {
    Throwable failure = failureOf(run(Leaky.class), "leavesAnArrayOpen");
    assertThat(failure.getSuppressed()).hasSize(1);
    assertThat(failure.getSuppressed()[0])
        .hasMessage("float32 [3, 4] on cuda:1 was made here")
        .hasStackTraceContaining("leavesAnArrayOpen");
  }

  @Test
  void aFailureOfTheTestsOwnIsNotMasked() {
    Map<String, TestExecutionResult> results = run(Leaky.class);
    Throwable failure = failureOf(results, "failsBesides");
    assertThat(failure).isInstanceOf(IllegalStateException.class);
    assertThat(failure.getSuppressed()).hasSize(1);
    assertThat(failure.getSuppressed()[0]).hasMessageContaining("float32 [6] on cuda:0");

    assertThat(results.get("isAbortedBesides").getStatus()).isEqualTo(Status.FAILED);
    assertThat(failureOf(results, "isAbortedBesides")).hasMessageContaining("float32 [7]");
  }

  @ExtendWith(LeakCheck.class)
  static class Tidy extends WithRuntime {
    static CuArray<Float> ofTheClass;

    final CuArray<Float> ofAField = cuda.device(0).zeros(FLOAT32, 9);
    CuArray<Float> ofEach;

    @BeforeAll
    static void make() {
      ofTheClass = cuda.device(0).zeros(FLOAT32, 10);
    }

    @BeforeEach
    void makeOne() {
      ofEach = cuda.device(0).zeros(FLOAT32, 11);
    }

    @AfterEach
    void closeOne() {
      ofEach.close();
    }

    @AfterAll
    static void closeAll() {
      ofTheClass.close();
    }

    @Test
    void closes() {
      try (CuArray<Float> array = ofTheClass.to(cuda.device(1))) {
        array.slice(0, 3).fill((Float) 1f);
      }
    }

    @Test
    void keepsInAScope() {
      try (CuScope scope = cuda.scope()) {
        scope.keep(scope.keep(cuda.device(0).zeros(FLOAT32, 4)).retain());
        scope.keep(cuda.device(0).stream());
      }
    }

    @Test
    void closesTheRuntimeLast() {
      try (CuRuntime own = CuRuntime.open(SimulatedDriver.of(Preset.PCIE, 1));
          CuArray<Float> array = own.device(0).zeros(FLOAT32, 5)) {
        array.fill((Float) 1f);
      }
    }

    @Test
    void usesViewsOfWhatWasMadeBefore() {
      ofTheClass.slice(0, 2).reshape(2, 1).fill((Float) 2f);
      ofEach.slice(0, 2).fill((Float) 2f);
      ofAField.slice(0, 2).fill((Float) 2f);
    }
  }

  @Test
  void whatWasMadeBeforeTheTestOrClosedByItDoesNotCount() {
    assertPassed(
        run(Tidy.class),
        "closes",
        "keepsInAScope",
        "closesTheRuntimeLast",
        "usesViewsOfWhatWasMadeBefore");
  }

  static class Unchecked extends WithRuntime {
    @Test
    void leavesAnArrayOpen() {
      cuda.device(0).zeros(FLOAT32, 12);
    }
  }

  @Test
  void withoutTheCheckNothingIsHeldAgainstATest() {
    assertPassed(run(Unchecked.class), "leavesAnArrayOpen");
  }

  @ExtendWith(LeakCheck.class)
  @Execution(ExecutionMode.CONCURRENT)
  static class Parallel extends WithRuntime {
    private static final CyclicBarrier BOTH = new CyclicBarrier(2);

    @Test
    void leaksBesideTheOther() throws Exception {
      BOTH.await();
      cuda.device(0).zeros(FLOAT32, 13);
      BOTH.await();
    }

    @Test
    void closesBesideTheOther() throws Exception {
      BOTH.await();
      ArrayList<CuArray<Float>> arrays = new ArrayList<>();
      Thread thread = new Thread(() -> arrays.add(cuda.device(0).zeros(FLOAT32, 14)));
      thread.start();
      thread.join();
      arrays.get(0).close();
      BOTH.await();
    }
  }

  @Test
  void ofTwoTestsAtATimeTheOneThatLeakedFails() {
    Map<String, TestExecutionResult> results = run(Parallel.class);
    assertPassed(results, "closesBesideTheOther");
    assertThat(failureOf(results, "leaksBesideTheOther"))
        .hasMessageContaining("the test left 1 open")
        .hasMessageContaining("float32 [13] on cuda:0");
  }
}
