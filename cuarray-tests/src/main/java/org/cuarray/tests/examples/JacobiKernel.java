package org.cuarray.tests.examples;

import static org.cuarray.KernelArg.int32;

import org.cuarray.Access;
import org.cuarray.CuArray;
import org.cuarray.CuKernel;
import org.cuarray.CuModule;
import org.cuarray.CuRuntime;
import org.cuarray.KernelArg;
import org.cuarray.Launch;

/**
 * One step of the Jacobi method for Laplace's equation on some rows: each element becomes the mean
 * of its four neighbours.
 */
final class JacobiKernel implements AutoCloseable {
  /** Threads of a block, side by side in a row. */
  private static final int BLOCK = 256;

  /** Rows that each thread computes; what it reads for one serves the next. */
  private static final int ROWS = 16;

  /**
   * {@code in} is the row above the first that is computed, {@code out} that first row. All rows of
   * a thread are read before one is written, so that many reads are under way at a time, which is
   * what fills the memory bus.
   */
  static final String SOURCE =
      """
      __device__ float step(const float* __restrict__ in, float* __restrict__ out, int rows,
                            int columns) {
        int x = blockIdx.x * blockDim.x + threadIdx.x;
        int y = blockIdx.y * ROWS;
        if (x < 1 || x >= columns - 1) return 0;
        float above[ROWS + 2], left[ROWS], right[ROWS];
        #pragma unroll
        for (int i = 0; i < ROWS + 2; i++) {
          above[i] = in[(size_t) min(y + i, rows + 1) * columns + x];
        }
        #pragma unroll
        for (int i = 0; i < ROWS; i++) {
          const float* row = in + (size_t) min(y + i + 1, rows) * columns + x;
          left[i] = row[-1];
          right[i] = row[1];
        }
        float squares = 0;
        #pragma unroll
        for (int i = 0; i < ROWS; i++) {
          if (y + i < rows) {
            float mean = 0.25f * (left[i] + right[i] + above[i] + above[i + 2]);
            out[(size_t) (y + i) * columns + x] = mean;
            float change = mean - above[i + 1];
            squares += change * change;
          }
        }
        return squares;
      }

      extern "C" __global__ void __launch_bounds__(BLOCK)
      jacobi(const float* in, float* out, int rows, int columns) {
        step(in, out, rows, columns);
      }

      // The same, and adds up the squares of the changes.
      extern "C" __global__ void __launch_bounds__(BLOCK)
      jacobi_norm(const float* in, float* out, int rows, int columns, double* sum) {
        __shared__ float warps[BLOCK / 32];
        float squares = step(in, out, rows, columns);
        for (int lanes = 16; lanes > 0; lanes /= 2) {
          squares += __shfl_down_sync(0xffffffff, squares, lanes);
        }
        if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = squares;
        __syncthreads();
        if (threadIdx.x == 0) {
          float all = 0;
          for (int i = 0; i < BLOCK / 32; i++) all += warps[i];
          atomicAdd(sum, (double) all);
        }
      }
      """;

  private final CuModule module;
  private final CuKernel plain;
  private final CuKernel withNorm;

  /** Compiles for the devices of a runtime. */
  JacobiKernel(CuRuntime cuda) {
    module = cuda.compile(SOURCE, "-DBLOCK=" + BLOCK, "-DROWS=" + ROWS);
    plain = module.kernel("jacobi");
    withNorm = module.kernel("jacobi_norm");
  }

  /**
   * Computes some rows.
   *
   * @param in these rows as they were, with one more on either side
   * @param out these rows
   */
  PreparedLaunch sweep(CuArray<Float> in, CuArray<Float> out) {
    return new PreparedLaunch(
        plain, size(out), Access.read(in), Access.write(out), extent(out, 0), extent(out, 1));
  }

  /**
   * Computes some rows, and adds the squares of all changes to a sum.
   *
   * @param in these rows as they were, with one more on either side
   * @param out these rows
   * @param sum one element on the same device
   */
  PreparedLaunch sweep(CuArray<Float> in, CuArray<Float> out, CuArray<Double> sum) {
    return new PreparedLaunch(
        withNorm,
        size(out),
        Access.read(in),
        Access.write(out),
        extent(out, 0),
        extent(out, 1),
        Access.readWrite(sum));
  }

  private static KernelArg extent(CuArray<Float> out, int axis) {
    return int32(Math.toIntExact(out.shape()[axis]));
  }

  private static Launch size(CuArray<Float> out) {
    long rows = out.shape()[0];
    long columns = out.shape()[1];
    return Launch.over(columns, BLOCK)
        .grid((columns + BLOCK - 1) / BLOCK, (rows + ROWS - 1) / ROWS, 1);
  }

  @Override
  public void close() {
    module.close();
  }
}
