package org.cuarray.tests.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.cuarray.Access.readWrite;
import static org.cuarray.DType.INT32;
import static org.cuarray.KernelArg.int64;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.cuarray.CuArray;
import org.cuarray.CuDeviceLostException;
import org.cuarray.CuKernel;
import org.cuarray.CuModule;
import org.cuarray.CuRuntime;
import org.cuarray.Launch;
import org.cuarray.driver.javacpp.JavaCppDriver;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A kernel that goes wrong takes its device from the process, so this runs only where it is asked
 * for, in a process of its own: {@code -Dcuarray.kernelFaults=true}.
 */
@Tag("gpu")
public final class CudaKernelFaultSuite {
  private static final String SOURCE =
      """
      extern "C" __global__ void poke(int *x, long long offset) {
        *(int *) ((char *) x + offset) = 1;
      }
      """;

  /** For JUnit. */
  public CudaKernelFaultSuite() {}

  @Test
  void anIllegalAddressIsReportedAndEverythingCanStillBeClosed() {
    assumeTrue(
        Boolean.getBoolean("cuarray.kernelFaults"), "-Dcuarray.kernelFaults=true asks for it");
    JavaCppDriver.unavailableReason().ifPresent(reason -> assumeTrue(false, reason));
    CuRuntime cuda = CuRuntime.open(JavaCppDriver.instance());
    int last = cuda.devices().size() - 1;
    CuModule module = cuda.compile(SOURCE);
    CuKernel poke = module.kernel("poke");
    CuArray<Integer> x = cuda.device(0).zeros(INT32, 4);
    poke.launch(Launch.of(1, 1), readWrite(x), int64(0));
    assertThat(x.get(0)).isEqualTo(1);
    poke.launch(Launch.of(1, 1), readWrite(x), int64(1L << 44));
    assertThatExceptionOfType(CuDeviceLostException.class)
        .isThrownBy(x::synchronize)
        .satisfies(e -> System.out.println("reading: " + e.getMessage() + " <- " + e.getCause()));
    assertThatExceptionOfType(CuDeviceLostException.class)
        .isThrownBy(() -> poke.launch(Launch.of(1, 1), readWrite(x), int64(0)));
    if (last > 0) {
      try (CuArray<Integer> other = cuda.device(last).zeros(INT32, 4)) {
        poke.launch(Launch.of(1, 1), readWrite(other), int64(4));
        assertThat(other.toArray(INT32)).containsExactly(0, 1, 0, 0);
      }
    }
    long start = System.nanoTime();
    x.close();
    module.close();
    cuda.close();
    assertThat((System.nanoTime() - start) / 1e9).isLessThan(40);
  }
}
