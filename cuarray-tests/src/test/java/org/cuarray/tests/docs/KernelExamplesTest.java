package org.cuarray.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.DType.FLOAT32;
import static org.cuarray.KernelArg.float32;
import static org.cuarray.KernelArg.int64;

import org.cuarray.Access;
import org.cuarray.CuArray;
import org.cuarray.CuKernel;
import org.cuarray.CuModule;
import org.cuarray.CuRuntime;
import org.cuarray.Launch;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.api.Test;

/** The guide's examples of kernels, as those of {@link GuideExamplesTest}. */
class KernelExamplesTest {
  @Test
  void kernels() {
    SimulatedDriver machine =
        SimulatedDriver.builder()
            .devices(2)
            .kernel(
                "saxpy",
                run -> {
                  float a = run.nextFloat();
                  long x = run.nextLong();
                  long y = run.nextLong();
                  long n = run.nextLong();
                  for (long i = 0; i < n; i++) {
                    run.putFloat(y + 4 * i, run.getFloat(y + 4 * i) + a * run.getFloat(x + 4 * i));
                  }
                })
            .build();

    long n = 1000;
    try (CuRuntime cuda = CuRuntime.open(machine);
        CuArray<Float> x = cuda.device(0).full(FLOAT32, 10f, n);
        CuArray<Float> y = cuda.device(0).full(FLOAT32, 1f, n);
        CuArray<Float> z = cuda.device(1).empty(FLOAT32, n)) {
      String source =
          """
          extern "C" __global__ void saxpy(float a, const float* x, float* y, long long n) {
            long long i = blockIdx.x * (long long) blockDim.x + threadIdx.x;
            if (i < n) y[i] += a * x[i];
          }
          """;
      try (CuModule module = cuda.compile(source)) {
        CuKernel saxpy = module.kernel("saxpy");
        saxpy.launch(Launch.over(n), float32(2), Access.read(x), Access.readWrite(y), int64(n));
      }
      y.copyTo(z); // comes after the launch

      assertThat(z.get(n - 1)).isEqualTo(21f);
    }
  }
}
