package org.cuarray.tests.exit;

/** A kernel that runs for a given time. */
final class SpinKernel {
  static final String NAME = "spin";

  static final String SOURCE =
      """
      extern "C" __global__ void spin(long long nanos, int *x) {
        long long start, now;
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
        do {
          asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
        } while (now - start < nanos);
        x[0] = 1;
      }
      """;

  private SpinKernel() {}
}
