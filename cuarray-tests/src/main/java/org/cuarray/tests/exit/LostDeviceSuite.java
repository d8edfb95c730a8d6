package org.cuarray.tests.exit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.cuarray.CuDeviceLostException;
import org.cuarray.CuDriverException;
import org.cuarray.tests.exit.ChildJvm.Outcome;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A sticky error marks its device as lost: one clear error, quiet closes, and an exit in time. The
 * loss takes place in a process of its own, whose observations are printed.
 */
public abstract class LostDeviceSuite {
  /** For hangs, not for speed. */
  private static final Duration BOUND = Duration.ofMinutes(2);

  private static final double SECONDS_TO_CLOSE = 40;

  private static final List<String> ON_THE_LOST_DEVICE =
      List.of("error", "again", "download", "upload", "allocate");

  private static final List<String> CLOSES =
      List.of("pool memory", "classic memory", "pinned memory", "a stream", "a module");

  /** For subclasses. */
  protected LostDeviceSuite() {}

  /**
   * The machine of the child.
   *
   * @return {@code cuda} or {@code simulated}
   */
  protected abstract String machine();

  /** Skips what this computer can't run; to be marked {@link BeforeEach}. */
  @BeforeEach
  protected abstract void requireMachine();

  /**
   * Holds what other devices did to what a subclass knows of its machine.
   *
   * @param readings by name, {@code ok} where it worked
   */
  protected abstract void assertOtherDevices(List<String> readings);

  @Test
  void aDeviceThatAKernelBrokeIsNamedOnceAndEverythingCanStillBeClosed(@TempDir Path folder)
      throws IOException, InterruptedException {
    Outcome outcome =
        new ChildJvm(folder, BOUND).run(LostDeviceProgram.class, process -> {}, machine());
    outcome.out().forEach(line -> System.out.println("reading: " + line));
    System.out.println("reading: seconds to exit: " + outcome.seconds());

    assertThat(outcome.code()).as(outcome.toString()).isZero();
    assertThat(outcome.left()).isEmpty();
    assertThat(outcome.reading("error"))
        .startsWith(CuDeviceLostException.class.getName())
        .contains("cuda:0 is lost to this process", CuDriverException.class.getName());
    assertThat(ON_THE_LOST_DEVICE)
        .allSatisfy(
            call ->
                assertThat(outcome.reading(call))
                    .as(call)
                    .startsWith(CuDeviceLostException.class.getName())
                    .contains("cuda:0"));
    assertThat(CLOSES)
        .allSatisfy(
            what ->
                assertThat(outcome.reading("close " + what))
                    .as(what)
                    .isEqualTo(LostDeviceProgram.OK));
    assertThat(outcome.reading("close the runtime")).isEqualTo(LostDeviceProgram.OK);
    assertThat(Double.parseDouble(outcome.reading("seconds to close")))
        .isLessThan(SECONDS_TO_CLOSE);
    assertThat(outcome.err()).doesNotContain("could not free", "Exception in thread");
    assertThat(outcome.out()).noneMatch(line -> line.contains("WRONG VALUE"));
    assertOtherDevices(
        outcome.out().stream().filter(line -> line.startsWith("other device: ")).toList());
  }
}
