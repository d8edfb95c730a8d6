package org.cuarray.tests.exit;

import static org.cuarray.DType.FLOAT32;
import static org.cuarray.DType.INT32;
import static org.cuarray.KernelArg.int64;

import java.time.Duration;
import org.cuarray.Access;
import org.cuarray.CuArray;
import org.cuarray.CuRuntime;
import org.cuarray.Launch;
import org.cuarray.LeakReports;
import org.cuarray.driver.ShutdownGate;

/**
 * A program that ends in a given way in the middle of its work: {@code ExitProgram MACHINE
 * SITUATION STYLE}. After the shutdown has begun it tries to use the library, and prints what comes
 * of that.
 */
final class ExitProgram {
  private static final Duration LONG_ENOUGH = Duration.ofSeconds(10);

  /** Ends by itself after that, should killing the process not end it. */
  private static final long KERNEL_NANOS = Duration.ofMinutes(2).toNanos();

  private final ExitMachine machine;
  private final ExitSituation situation;
  private final CuRuntime cuda;
  private final CuArray<Float> array;

  private ExitProgram(ExitMachine machine, ExitSituation situation) {
    this.machine = machine;
    this.situation = situation;
    this.cuda = CuRuntime.builder().driver(machine.driver()).leakReports(LeakReports.OFF).open();
    this.array = cuda.device(0).full(FLOAT32, 1f, 1000);
  }

  /**
   * Runs it.
   *
   * @param arguments machine, {@link ExitSituation}, {@link ExitStyle}
   */
  public static void main(String... arguments) throws InterruptedException {
    new ExitProgram(ExitMachine.named(arguments[0]), ExitSituation.valueOf(arguments[1])).work();
    System.out.println(ChildJvm.READY);
    ExitStyle.valueOf(arguments[2]).end();
  }

  private void work() throws InterruptedException {
    switch (situation) {
      case BUSY -> onShutdown(this::watchThreadsBeingTurnedAway, BusyThreads.start(cuda));
      case CLOSED_BY_A_HOOK -> {
        BusyThreads threads = BusyThreads.start(cuda);
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "closing hook"));
        onShutdown(this::watchThreadsEnding, threads);
      }
      case ENDLESS_KERNEL -> {
        waitInTheDriver();
        Runtime.getRuntime().addShutdownHook(new Thread(this::tryEverything, "late hook"));
      }
    }
  }

  private interface Watch {
    void over(BusyThreads threads) throws InterruptedException;
  }

  private static void onShutdown(Watch watch, BusyThreads threads) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  try {
                    watch.over(threads);
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                },
                "late hook"));
  }

  private void waitInTheDriver() throws InterruptedException {
    CuArray<Integer> result = cuda.device(0).zeros(INT32, 1);
    result.synchronize();
    Thread waiting =
        new Thread(
            () -> {
              cuda.compile(SpinKernel.SOURCE)
                  .kernel(SpinKernel.NAME)
                  .launch(Launch.of(1, 1), int64(KERNEL_NANOS), Access.write(result));
              System.out.println("launched: yes");
              result.synchronize();
            },
            "waiting");
    waiting.setDaemon(true);
    waiting.start();
    // In native code a thread is runnable; on the simulated machine it parks now and then.
    while (!isInTheDriver(waiting)) {
      Thread.sleep(10);
    }
  }

  private static boolean isInTheDriver(Thread thread) {
    for (StackTraceElement frame : thread.getStackTrace()) {
      if (frame.getMethodName().equals("eventSynchronize")) {
        return true;
      }
    }
    return false;
  }

  // ---- in shutdown hooks -----------------------------------------------------------------------

  /** Returns the number of calls that had entered the driver when the last was let in. */
  private long awaitShutdown() {
    ShutdownGate gate = ShutdownGate.ofProcess();
    while (!gate.isClosed()) {
      Thread.onSpinWait();
    }
    boolean empty =
        gate.close(situation == ExitSituation.ENDLESS_KERNEL ? Duration.ZERO : LONG_ENOUGH);
    System.out.println("driver: " + (empty ? "empty" : "in use"));
    return machine.entered().get();
  }

  private void watchThreadsBeingTurnedAway(BusyThreads threads) throws InterruptedException {
    long before = awaitShutdown();
    tryCalls();
    watch(threads, before);
    close();
  }

  private void watchThreadsEnding(BusyThreads threads) throws InterruptedException {
    watch(threads, awaitShutdown());
  }

  private void watch(BusyThreads threads, long before) throws InterruptedException {
    threads.awaitEnd();
    threads.unexpected().values().forEach(Throwable::printStackTrace);
    System.out.println("unexpected: " + threads.unexpected().keySet());
    System.out.println("calls after: " + (machine.entered().get() - before));
  }

  private void tryEverything() {
    long before = awaitShutdown();
    tryCalls();
    close();
    System.out.println("calls after: " + (machine.entered().get() - before));
  }

  private void tryCalls() {
    tryCall("copy", () -> array.slice(0, 500).copyTo(array.slice(500, 1000)));
    tryCall("fill", () -> array.fill((Float) 2f));
    tryCall("download", () -> array.toArray(FLOAT32));
    tryCall("upload", () -> array.copyFrom(FLOAT32, new float[1000]));
    tryCall("allocate", () -> cuda.device(0).zeros(FLOAT32, 10));
    tryCall("synchronize", cuda::synchronize);
    tryCall("close", array::close);
  }

  private static void tryCall(String name, Runnable call) {
    try {
      call.run();
      System.out.println(name + ": nothing thrown");
    } catch (RuntimeException e) {
      System.out.println(name + ": " + e);
    }
  }

  private void close() {
    long start = System.nanoTime();
    cuda.close();
    System.out.println("seconds to close: " + (System.nanoTime() - start) / 1e9);
  }
}
