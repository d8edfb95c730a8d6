package org.cuarray.tests.exit;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.GatedDriver;
import org.cuarray.driver.InterceptedDriver;
import org.cuarray.driver.ShutdownGate;
import org.cuarray.driver.javacpp.JavaCppDriver;
import org.cuarray.driver.simulated.SimulatedDriver;

/**
 * What a program that ends runs on, and how many calls have entered its driver.
 *
 * @param driver as the library gets it
 * @param entered calls that got through to the driver; stays 0 where nobody can count them
 */
record ExitMachine(CudaDriver driver, AtomicLong entered) {
  /** The machine of a name: {@code cuda} or {@code simulated}. */
  static ExitMachine named(String name) {
    AtomicLong entered = new AtomicLong();
    return name.equals("cuda")
        ? new ExitMachine(JavaCppDriver.instance(), entered)
        : new ExitMachine(
            GatedDriver.around(counted(simulated(), entered), ShutdownGate.ofProcess()), entered);
  }

  private static CudaDriver counted(CudaDriver driver, AtomicLong entered) {
    return InterceptedDriver.around(
        driver,
        (call, arguments, proceed) -> {
          entered.incrementAndGet();
          return proceed.call();
        });
  }

  /** Its streams work late, and its kernel takes as long as the real one. */
  private static SimulatedDriver simulated() {
    return SimulatedDriver.builder()
        .devices(2)
        .seed(Long.getLong("cuarray.seed", 1))
        .withoutPlaces()
        .kernel(
            SpinKernel.NAME,
            run -> {
              long end = System.nanoTime() + run.nextLong();
              while (System.nanoTime() - end < 0) {
                LockSupport.parkNanos(1_000_000);
              }
            })
        .build();
  }
}
