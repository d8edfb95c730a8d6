package org.cuarray.tests.suite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs samples that only this test selects: nested static classes are no tests of their own. */
class SuiteMainTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  @Test
  void aPassingSuiteEndsWithZeroAndCounts() {
    assertThat(run(Passing.class.getName())).isZero();
    assertThat(output())
        .containsPattern("passed +[0-9.]+ s  SuiteMainTest\\$Passing > works\\(\\)")
        .endsWith("2 passed, 0 failed, 0 skipped\n");
  }

  @Test
  void aFailureShowsItsStackTraceAndEndsWithOne() {
    assertThat(run(Passing.class.getName(), Failing.class.getName())).isEqualTo(1);
    assertThat(output())
        .containsPattern("failed +[0-9.]+ s  SuiteMainTest\\$Failing > breaks\\(\\)")
        .contains("AssertionError: broken", "at org.cuarray.tests.suite.SuiteMainTest")
        .endsWith("2 passed, 1 failed, 0 skipped\n");
  }

  @Test
  void aClassThatFailsAroundItsTestsIsAFailure() {
    assertThat(run(FailingAfterwards.class.getName())).isEqualTo(1);
    assertThat(output()).contains("late").endsWith("1 passed, 1 failed, 0 skipped\n");
  }

  @Test
  void skippedTestsGiveTheirReasonAndAreNoSuccess() {
    assertThat(run(Skipping.class.getName(), SkippedWhole.class.getName())).isEqualTo(1);
    assertThat(output())
        .contains("no GPU here", "not today", "none of these")
        .endsWith("0 passed, 0 failed, 4 skipped\n");
  }

  @Test
  void nothingToRunIsAFailure() {
    assertThat(run("org.cuarray.no.such.place")).isEqualTo(1);
    assertThat(output()).isEqualTo("0 passed, 0 failed, 0 skipped\n");
  }

  @Test
  void tagsSelectAndExclude() {
    assertThat(run("--tag", "sample-tag", Passing.class.getName())).isZero();
    assertThat(output()).endsWith("1 passed, 0 failed, 0 skipped\n");
    bytes.reset();
    assertThat(run("--exclude-tag", "sample-tag", Passing.class.getName())).isZero();
    assertThat(output()).doesNotContain("tagged").endsWith("1 passed, 0 failed, 0 skipped\n");
  }

  @Test
  void aMethodCanBeSelected() {
    assertThat(run(Passing.class.getName() + "#works")).isZero();
    assertThat(output()).endsWith("1 passed, 0 failed, 0 skipped\n");
  }

  @Test
  void theReportIsJson(@TempDir Path folder) throws IOException {
    Path report = folder.resolve("report.json");

    run("--report", report.toString(), Passing.class.getName(), Failing.class.getName());

    assertThat(Files.readString(report))
        .contains("\"passed\": 2", "\"failed\": 1", "\"skipped\": 0")
        .contains("\"name\": \"SuiteMainTest$Failing > breaks()\", \"result\": \"failed\"")
        .contains("\\u000a\\u0009at org.cuarray.tests.suite");
  }

  private int run(String... arguments) {
    return SuiteMain.run(new PrintStream(bytes, true, UTF_8), arguments);
  }

  private String output() {
    return bytes.toString(UTF_8).replace("\r", "");
  }

  static class Passing {
    @Test
    void works() {}

    @Tag("sample-tag")
    @Test
    void tagged() {}
  }

  static class Failing {
    @Test
    void breaks() {
      fail("broken");
    }
  }

  static class FailingAfterwards {
    @Test
    void works() {}

    @AfterAll
    static void late() {
      fail("late");
    }
  }

  static class Skipping {
    @Test
    void assumes() {
      assumeTrue(false, "no GPU here");
    }

    @Disabled("not today")
    @Test
    void disabled() {}
  }

  @Disabled("none of these")
  static class SkippedWhole {
    @Test
    void one() {}

    @Test
    void other() {}
  }
}
