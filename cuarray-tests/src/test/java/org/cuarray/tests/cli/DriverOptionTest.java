package org.cuarray.tests.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.cuarray.CuException;
import org.cuarray.cli.Drivers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DriverOptionTest {
  private static final String PROPERTY = "cuarray.driver";
  private final String before = System.getProperty(PROPERTY);

  @BeforeEach
  void askForNothing() {
    // Set, though to nothing, so that a variable of the machine has no say.
    System.setProperty(PROPERTY, "");
  }

  @AfterEach
  void restore() {
    if (before == null) {
      System.clearProperty(PROPERTY);
    } else {
      System.setProperty(PROPERTY, before);
    }
  }

  @Test
  void withoutADriverTheSimulatedMachineStandsInAndSaysSoFirst() {
    CommandRun run = CommandRun.of(TestDrivers.withoutCuda(), "devices");

    assertThat(run.exitCode()).isZero();
    assertThat(run.firstLine())
        .isEqualTo(
            "SIMULATED MACHINE: no usable CUDA driver here (there is no NVIDIA driver: its library"
                + " libcuda.so.1 did not load). Everything below happens in memory of this JVM;"
                + " bandwidths mean nothing.");
    assertThat(run.out())
        .contains("--driver cuda says how to get a driver.")
        .contains("simulated:nvlink, 4 devices");
  }

  @Test
  void cudaThatWasAskedForIsNotReplaced() {
    CommandRun run = CommandRun.of(TestDrivers.withoutCuda(), "demo", "--driver", "cuda");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines())
        .singleElement()
        .isEqualTo(
            "CUDA is unavailable: "
                + TestDrivers.NO_DRIVER
                + " Without a GPU, --driver simulated:nvlink runs this on a simulated machine.");
  }

  @Test
  void cudaThatThePropertyAsksForIsNotReplaced() {
    System.setProperty(PROPERTY, "cuda");

    CommandRun run = CommandRun.of(TestDrivers.withoutCuda(), "devices");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void theOptionIsStrongerThanTheProperty() {
    System.setProperty(PROPERTY, "simulated:pcie");

    assertThat(CommandRun.of(TestDrivers.withoutCuda(), "devices").firstLine())
        .startsWith("SIMULATED MACHINE: simulated:pcie, as asked for.");
    assertThat(
            CommandRun.of(TestDrivers.withoutCuda(), "devices", "--driver", "simulated:mig")
                .firstLine())
        .startsWith("SIMULATED MACHINE: simulated:mig, as asked for.");
  }

  @Test
  void anUnknownDriverIsAWrongArgument() {
    CommandRun run = CommandRun.of(Drivers.ofProcess(), "devices", "--driver", "simulated:none");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .startsWith("no simulated machine is named \"none\"; there are nvlink, ")
        .contains("See cuarray devices --help");
    assertThat(CommandRun.of(Drivers.ofProcess(), "devices", "--driver", "metal").err())
        .startsWith("\"metal\" names no driver: there are cuda and simulated:PRESET.");
  }

  @Test
  void anExpectedFailureIsOneParagraph() {
    CommandRun run =
        CommandRun.of(
            TestDrivers.failing(() -> new CuException("two\n lines", new Error("deep"))),
            "devices");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).isEqualTo("two lines.%n".formatted());
  }

  @Test
  void anUnexpectedFailureKeepsItsStackTrace() {
    CommandRun run =
        CommandRun.of(TestDrivers.failing(() -> new IllegalStateException("surprise")), "devices");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("IllegalStateException: surprise", "\tat org.cuarray.cli.");
  }
}
