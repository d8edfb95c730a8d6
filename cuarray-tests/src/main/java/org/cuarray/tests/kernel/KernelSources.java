package org.cuarray.tests.kernel;

/** CUDA C++ for the suites. */
final class KernelSources {
  /** y += a * x. */
  static final String SAXPY =
      """
      extern "C" __global__ void saxpy(float a, const float *x, float *y, long long n) {
        long long i = blockIdx.x * (long long) blockDim.x + threadIdx.x;
        if (i < n) {
          y[i] += a * x[i];
        }
      }
      """;

  /**
   * {@code increment} adds one, {@code slow} only after a while, so that what does not wait for it
   * reads the old values, {@code check} counts the elements that are not what they should be.
   */
  static final String ORDER =
      """
      extern "C" __global__ void increment(int *x, long long n) {
        for (long long i = blockIdx.x * (long long) blockDim.x + threadIdx.x; i < n;
             i += (long long) gridDim.x * blockDim.x) {
          x[i] += 1;
        }
      }

      extern "C" __global__ void slow(int *x, long long n, long long cycles) {
        long long start = clock64();
        while (clock64() - start < cycles) {
        }
        for (long long i = blockIdx.x * (long long) blockDim.x + threadIdx.x; i < n;
             i += (long long) gridDim.x * blockDim.x) {
          x[i] += 1;
        }
      }

      extern "C" __global__ void check(const int *x, long long n, int expected,
                                       unsigned long long *wrong) {
        for (long long i = blockIdx.x * (long long) blockDim.x + threadIdx.x; i < n;
             i += (long long) gridDim.x * blockDim.x) {
          if (x[i] != expected) {
            atomicAdd(wrong, 1ULL);
          }
        }
      }
      """;

  /** Writes each argument to a slot of its own, widened. */
  static final String ARGUMENTS =
      """
      extern "C" __global__ void arguments(
          bool b, long long *whole, signed char i8, unsigned char u8, short i16,
          unsigned short f16, unsigned short bf16, int i32, long long i64, float f32, double f64,
          float2 c64, bool no, double2 c128, signed char last, double *real) {
        whole[0] = b;
        whole[1] = i8;
        whole[2] = u8;
        whole[3] = i16;
        whole[4] = f16;
        whole[5] = bf16;
        whole[6] = i32;
        whole[7] = i64;
        whole[8] = no;
        whole[9] = last;
        real[0] = f32;
        real[1] = f64;
        real[2] = c64.x;
        real[3] = c64.y;
        real[4] = c128.x;
        real[5] = c128.y;
      }
      """;

  /** One block reverses its elements through shared memory that the launch asks for. */
  static final String SHARED =
      """
      extern "C" __global__ void reverse(int *x, int n, int far) {
        extern __shared__ int tile[];
        __shared__ int declared[256];
        declared[threadIdx.x % 256] = 0;
        for (int i = threadIdx.x; i < n; i += blockDim.x) {
          tile[far + i] = x[i];
        }
        __syncthreads();
        for (int i = threadIdx.x; i < n; i += blockDim.x) {
          x[i] = tile[far + n - 1 - i] + declared[0];
        }
      }

      extern "C" __global__ void __launch_bounds__(128) bounded(int *x) {
        x[threadIdx.x] = threadIdx.x;
      }

      extern "C" __global__ void where(int *x) {
        x[0] = gridDim.x * 100 + gridDim.y * 10 + gridDim.z;
        x[1] = blockDim.x * 100 + blockDim.y * 10 + blockDim.z;
      }
      """;

  private KernelSources() {}
}
