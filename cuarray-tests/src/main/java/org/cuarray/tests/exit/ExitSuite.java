package org.cuarray.tests.exit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.cuarray.tests.exit.ChildJvm.Outcome;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A JVM ends in bounded time and with the right code, however it ends and whatever is going on; and
 * once its shutdown has begun, no thread enters the driver.
 *
 * <p>A subclass says on which machine. Each test is a process.
 */
public abstract class ExitSuite {
  /** For hangs, not for speed. */
  private static final Duration BOUND = Duration.ofMinutes(2);

  /** Well below the 30 s in which a runtime gives up on work: nobody waits for that at an exit. */
  private static final double SECONDS_TO_EXIT = 20;

  private static final List<String> REFUSED =
      List.of("copy", "fill", "download", "upload", "allocate", "synchronize");

  /** For subclasses. */
  protected ExitSuite() {}

  /**
   * The machine of the children.
   *
   * @return {@code cuda} or {@code simulated}
   */
  protected abstract String machine();

  /** Skips what this computer can't run; to be marked {@link BeforeEach}. */
  @BeforeEach
  protected abstract void requireMachine();

  static Stream<Arguments> exits() {
    return Stream.of(ExitSituation.values())
        .flatMap(
            situation ->
                Stream.of(ExitStyle.values()).map(style -> Arguments.of(situation, style)));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("exits")
  void theProcessEndsInTimeWithTheRightCodeAndLeavesTheDriverAlone(
      ExitSituation situation, ExitStyle style, @TempDir Path folder)
      throws IOException, InterruptedException {
    Outcome outcome =
        new ChildJvm(folder, BOUND)
            .run(
                ExitProgram.class,
                process -> {
                  if (style == ExitStyle.SIGTERM) {
                    process.toHandle().destroy();
                  }
                },
                machine(),
                situation.name(),
                style.name());
    System.out.printf("reading: %s, %s: %s%n", situation, style, outcome.seconds());
    outcome.out().forEach(line -> System.out.println("  " + line));

    assertThat(outcome.code()).as(outcome.toString()).isEqualTo(style.code());
    assertThat(outcome.left()).as(outcome.toString()).isEmpty();
    assertThat(outcome.seconds()).isLessThan(SECONDS_TO_EXIT);
    assertThat(outcome.err()).doesNotContain("cuarray-").doesNotContain("WARNING: a device");
    if (style == ExitStyle.UNCAUGHT_EXCEPTION) {
      assertThat(outcome.err())
          .containsOnlyOnce("Exception in thread")
          .contains("thrown to end the program");
    } else {
      assertThat(outcome.err()).doesNotContain("Exception");
    }
    assertThat(outcome.reading("calls after")).isEqualTo("0");
    if (situation != ExitSituation.ENDLESS_KERNEL) {
      assertThat(outcome.reading("driver")).isEqualTo("empty");
      assertThat(outcome.reading("unexpected")).isEqualTo("[]");
    }
    if (situation != ExitSituation.CLOSED_BY_A_HOOK) {
      assertThat(REFUSED)
          .allSatisfy(
              call ->
                  assertThat(outcome.reading(call))
                      .as(call)
                      .contains("CUDA_ERROR_DEINITIALIZED", "The JVM is shutting down"));
      assertThat(outcome.reading("close")).isEqualTo("nothing thrown");
    }
  }
}
