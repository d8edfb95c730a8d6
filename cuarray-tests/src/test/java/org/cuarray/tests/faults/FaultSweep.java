package org.cuarray.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.tests.conformance.DriverRig.ok;

import com.google.common.base.Throwables;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.logging.LogRecord;
import org.cuarray.CuDriverException;
import org.cuarray.CuException;
import org.cuarray.CuOutOfMemoryException;
import org.cuarray.CuRuntime;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.simulated.Finding;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.array.LogCapture;
import org.cuarray.tests.faults.FaultyDriver.Fault;
import org.jspecify.annotations.Nullable;

/**
 * Lets each driver call of an operation fail once, and checks that nothing comes of it but the
 * exception: no leak, no lost order, no other current context, no changed bytes elsewhere, and the
 * next use works. The machine works late and checks the order.
 */
final class FaultSweep {
  /** Where one of these fails, nobody can put the context back. */
  private static final List<String> CONTEXT_CALLS = List.of("cuCtxPopCurrent", "cuCtxSetCurrent");

  private final Preset preset;
  private final Consumer<CuRuntime.Builder> options;
  private final List<String> failures = new ArrayList<>();
  private SimulatedDriver machine;
  private FaultyDriver faulty;
  private List<Finding> before = List.of();

  /**
   * A sweep.
   *
   * @param options of the runtimes that are opened
   */
  FaultSweep(Preset preset, Consumer<CuRuntime.Builder> options) {
    this.preset = preset;
    this.options = options;
    renewMachine();
  }

  private void renewMachine() {
    machine =
        OtherOperations.withKernel(SimulatedDriver.builder())
            .preset(preset)
            .devices(2)
            .seed(0)
            .build();
    faulty = new FaultyDriver(machine, FaultyDriver.REFUSAL);
    before = List.of();
  }

  /**
   * Every call of an operation that is done for the first time in its process, or every so many.
   *
   * @return how many calls were made to fail
   */
  int firstUse(Consumer<FaultCase> preparation, int step) {
    int tried = 0;
    while (tryOnce(preparation, test -> {}, 1 + (long) tried * step)) {
      tried++;
      renewMachine();
    }
    assertThat(failures).isEmpty();
    return tried;
  }

  /**
   * Every call of an operation that has been done before.
   *
   * @return how many calls were made to fail
   */
  int laterUse(Consumer<FaultCase> preparation) {
    int tried = 0;
    while (tryOnce(preparation, test -> test.operation.run(), 1 + tried)) {
      tried++;
    }
    assertThat(failures).isEmpty();
    return tried;
  }

  private boolean tryOnce(Consumer<FaultCase> preparation, Consumer<FaultCase> warmUp, long nth) {
    machine.reseed(nth);
    CuRuntime.Builder builder = CuRuntime.builder().driver(faulty.driver());
    options.accept(builder);
    Fault fault = null;
    try (LogCapture log = new LogCapture()) {
      Runnable end;
      try (CuRuntime cuda = builder.open();
          FaultCase test = new FaultCase(cuda, machine)) {
        preparation.accept(test);
        warmUp.accept(test);
        long context = current();
        faulty.arm(nth);
        CuException thrown = thrown(test.operation);
        fault = faulty.disarm();
        if (fault == null && thrown == null) {
          return false;
        }
        check(test, fault, thrown, context);
        end = test.end;
      }
      end.run();
      assertThat(log.records())
          .extracting(LogRecord::getMessage)
          .noneMatch(message -> message.contains("still open"));
    } catch (Exception | AssertionError e) {
      failures.add("call %d, %s: %s".formatted(nth, fault, shortened(e)));
    }
    checkFindings(nth, fault);
    return fault != null;
  }

  private void check(
      FaultCase test, @Nullable Fault fault, @Nullable CuException thrown, long context) {
    assertThat(fault).as("the fault behind %s", thrown).isNotNull();
    if (!CONTEXT_CALLS.contains(fault.call())) {
      assertThat(current()).as("current context").isEqualTo(context);
    }
    ok(machine.ctxSetCurrent(context));
    checkNamed(thrown, fault);
    if (thrown == null) {
      test.result.run();
    }
    test.checkUntouched();
    test.operation.run();
    test.result.run();
    test.checkUntouched();
  }

  private void checkFindings(long nth, @Nullable Fault fault) {
    List<Finding> all = machine.findings();
    List<Finding> fresh = new ArrayList<>(all);
    fresh.removeAll(before);
    before = all;
    for (Finding finding : fresh) {
      if (!Tolerated.isTolerated(fault, finding)) {
        failures.add("call %d, %s: %s".formatted(nth, fault, finding));
      }
    }
  }

  private static String shortened(Throwable failure) {
    return Throwables.getStackTraceAsString(failure)
        .lines()
        .filter(line -> !line.startsWith("\tat ") || line.contains("cuarray"))
        .limit(20)
        .reduce("", (text, line) -> text + "\n  " + line);
  }

  private static @Nullable CuException thrown(Runnable operation) {
    try {
      operation.run();
      return null;
    } catch (CuException e) {
      return e;
    }
  }

  private static void checkNamed(@Nullable CuException thrown, Fault fault) {
    if (thrown instanceof CuDriverException && fault.call().equals("cuCtxPopCurrent")) {
      // Of a context that stays, later calls have to speak.
      return;
    }
    if (thrown instanceof CuDriverException named) {
      assertThat(named.call()).isIn(Tolerated.names(fault));
      assertThat(named.code()).isEqualTo(fault.code());
    } else if (thrown != null) {
      assertThat(thrown).isInstanceOf(CuOutOfMemoryException.class);
      assertThat(fault.code()).isEqualTo(CudaError.OUT_OF_MEMORY);
    }
  }

  private long current() {
    long[] context = new long[1];
    ok(machine.ctxGetCurrent(context));
    return context[0];
  }
}
