package org.cuarray.tests.docs;

import static org.cuarray.DType.FLOAT32;
import static org.cuarray.KernelArg.int32;

import java.util.Arrays;
import org.cuarray.Access;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuKernel;
import org.cuarray.CuModule;
import org.cuarray.CuRuntime;
import org.cuarray.Launch;

public class OneGpuHeat {
  static final String SOURCE =
      """
      extern "C" __global__ void relax(const float* in, float* out, int rows, int columns) {
        int x = blockIdx.x * blockDim.x + threadIdx.x;
        int y = blockIdx.y * blockDim.y + threadIdx.y;
        if (x < 1 || x >= columns - 1 || y >= rows) return;
        const float* at = in + (y + 1LL) * columns + x;
        out[(long long) y * columns + x] =
            0.25f * (at[-1] + at[1] + at[-columns] + at[columns]);
      }
      """;

  /** Computes the rows from {@code from} to before {@code to}. */
  static void relax(CuKernel kernel, CuArray<Float> now, CuArray<Float> next, int from, int to) {
    int rows = to - from;
    int columns = (int) now.shape()[1];
    Launch threads = Launch.of(1, 1).grid((columns + 31) / 32, (rows + 7) / 8, 1).block(32, 8, 1);
    kernel.launch(
        threads,
        Access.read(now.slice(from - 1, to + 1)),
        Access.write(next.slice(from, to)),
        int32(rows),
        int32(columns));
  }

  /** A plate whose upper edge is hot. */
  static float[] plate(int size) {
    float[] plate = new float[size * size];
    Arrays.fill(plate, 0, size, 1f);
    return plate;
  }

  static float[] solve(CuRuntime cuda, int size, int steps) {
    CuDevice gpu = cuda.device(0);
    try (CuModule module = cuda.compile(SOURCE);
        CuArray<Float> even = gpu.array(FLOAT32, plate(size), size, size);
        CuArray<Float> odd = even.to(gpu)) {
      CuKernel kernel = module.kernel("relax");
      for (int step = 0; step < steps; step++) {
        CuArray<Float> now = step % 2 == 0 ? even : odd;
        CuArray<Float> next = step % 2 == 0 ? odd : even;
        relax(kernel, now, next, 1, size - 1);
      }
      return (steps % 2 == 0 ? even : odd).toArray(FLOAT32);
    }
  }

  public static void main(String[] args) {
    try (CuRuntime cuda = CuRuntime.open()) {
      float[] plate = solve(cuda, 1024, 1000);
      System.out.println("below the hot edge: " + plate[10 * 1024 + 512]);
    }
  }
}
