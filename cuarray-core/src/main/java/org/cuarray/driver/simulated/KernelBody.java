package org.cuarray.driver.simulated;

/**
 * What a kernel does on a simulated machine: Java in place of CUDA code, called once a launch.
 *
 * <pre>{@code
 * SimulatedDriver.builder()
 *     .kernel("saxpy", run -> {
 *       long x = run.nextLong(), y = run.nextLong();
 *       float a = run.nextFloat();
 *       long n = run.nextLong();
 *       for (long i = 0; i < Math.min(n, run.threads()); i++) {
 *         run.putFloat(y + 4 * i, a * run.getFloat(x + 4 * i) + run.getFloat(y + 4 * i));
 *       }
 *     })
 * }</pre>
 */
@FunctionalInterface
public interface KernelBody {
  /**
   * Does the work of all threads of a launch. Called with the machine's lock held, so it must not
   * wait for a thread that uses the machine. What it throws comes out of {@code launchKernel}.
   *
   * @param run the launch: its arguments, its size, and the memory of its device
   */
  void run(KernelRun run);
}
