package org.cuarray.tests.examples;

import static org.cuarray.KernelArg.float32;
import static org.cuarray.KernelArg.int32;
import static org.cuarray.KernelArg.int64;

import org.cuarray.Access;
import org.cuarray.CuArray;
import org.cuarray.CuKernel;
import org.cuarray.CuModule;
import org.cuarray.CuRuntime;
import org.cuarray.Launch;

/** A stage of the {@link Pipeline}: {@code x = addend - x}, a number of times. */
final class PipelineKernel implements AutoCloseable {
  static final String SOURCE =
      """
      extern "C" __global__ void stage(float* x, long long n, float addend, int rounds) {
        long long i = blockIdx.x * (long long) blockDim.x + threadIdx.x;
        if (i >= n) return;
        float value = x[i];
        for (int round = 0; round < rounds; round++) value = addend - value;
        x[i] = value;
      }
      """;

  private final CuModule module;
  private final CuKernel kernel;
  private final int rounds;

  PipelineKernel(CuRuntime cuda, int rounds) {
    this.module = cuda.compile(SOURCE);
    this.kernel = module.kernel("stage");
    this.rounds = rounds;
  }

  void launch(CuArray<Float> x, float addend) {
    kernel.launch(
        Launch.over(x.size()),
        Access.readWrite(x),
        int64(x.size()),
        float32(addend),
        int32(rounds));
  }

  /** The same in plain Java. */
  float reference(float value, float addend) {
    float result = value;
    for (int round = 0; round < rounds; round++) {
      result = addend - result;
    }
    return result;
  }

  @Override
  public void close() {
    module.close();
  }
}
