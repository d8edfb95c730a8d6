package org.cuarray.tests.docs;

import static org.cuarray.DType.FLOAT32;

import java.util.Arrays;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuKernel;
import org.cuarray.CuModule;
import org.cuarray.CuRuntime;

public class TwoGpuHeat {
  /** Half of the plate on one device: the rows that it computes, and one above and below. */
  record Half(CuArray<Float> even, CuArray<Float> odd) implements AutoCloseable {
    static Half of(CuDevice device, float[] plate, int size, int from, int to) {
      float[] part = Arrays.copyOfRange(plate, from * size, to * size);
      CuArray<Float> even = device.array(FLOAT32, part, to - from, size);
      return new Half(even, even.to(device));
    }

    CuArray<Float> now(int step) {
      return step % 2 == 0 ? even : odd;
    }

    CuArray<Float> next(int step) {
      return now(step + 1);
    }

    @Override
    public void close() {
      even.close();
      odd.close();
    }
  }

  /** One step of both halves, of so many rows each. */
  static void step(CuKernel kernel, Half upper, Half lower, int rows, int step) {
    OneGpuHeat.relax(kernel, upper.now(step), upper.next(step), 1, rows + 1);
    OneGpuHeat.relax(kernel, lower.now(step), lower.next(step), 1, rows + 1);

    CuArray<Float> upperNext = upper.next(step);
    CuArray<Float> lowerNext = lower.next(step);
    upperNext.slice(rows, rows + 1).copyTo(lowerNext.slice(0, 1));
    lowerNext.slice(1, 2).copyTo(upperNext.slice(rows + 1, rows + 2));
  }

  /** The same, in an order that lets the rows travel while the others are computed. */
  static void stepAndSend(CuKernel kernel, Half upper, Half lower, int rows, int step) {
    CuArray<Float> upperNext = upper.next(step);
    CuArray<Float> lowerNext = lower.next(step);
    int half = rows / 2;

    OneGpuHeat.relax(kernel, upper.now(step), upperNext, half + 1, rows + 1);
    upperNext.slice(rows, rows + 1).copyTo(lowerNext.slice(0, 1));
    OneGpuHeat.relax(kernel, lower.now(step), lowerNext, 1, half + 1);
    lowerNext.slice(1, 2).copyTo(upperNext.slice(rows + 1, rows + 2));

    OneGpuHeat.relax(kernel, upper.now(step), upperNext, 1, half + 1);
    OneGpuHeat.relax(kernel, lower.now(step), lowerNext, half + 1, rows + 1);
  }

  static float[] solve(CuRuntime cuda, int size, int steps) {
    int rows = (size - 2) / 2; // an even size
    float[] plate = OneGpuHeat.plate(size);
    try (CuModule module = cuda.compile(OneGpuHeat.SOURCE);
        Half upper = Half.of(cuda.device(0), plate, size, 0, rows + 2);
        Half lower = Half.of(cuda.device(1), plate, size, rows, size)) {
      CuKernel kernel = module.kernel("relax");
      for (int step = 0; step < steps; step++) {
        stepAndSend(kernel, upper, lower, rows, step);
      }
      float[] above = upper.now(steps).slice(0, rows + 1).toArray(FLOAT32);
      float[] below = lower.now(steps).slice(1, rows + 2).toArray(FLOAT32);
      System.arraycopy(above, 0, plate, 0, above.length);
      System.arraycopy(below, 0, plate, above.length, below.length);
      return plate;
    }
  }

  public static void main(String[] args) {
    try (CuRuntime cuda = CuRuntime.open()) {
      float[] plate = solve(cuda, 1024, 1000);
      float[] onOneGpu = OneGpuHeat.solve(cuda, 1024, 1000);
      System.out.println("the same as on one GPU: " + Arrays.equals(plate, onOneGpu));
    }
  }
}
