package org.cuarray.tests.docs;

import static org.cuarray.DType.FLOAT32;

import java.util.Arrays;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;

public class Main {
  public static void main(String[] args) {
    try (CuRuntime cuda = CuRuntime.open()) {
      CuDevice gpu0 = cuda.device(0);
      CuDevice gpu1 = cuda.device(1);
      try (CuArray<Float> a = gpu0.array(FLOAT32, new float[] {1, 2, 3, 4});
          CuArray<Float> b = gpu1.zeros(FLOAT32, 4)) {
        a.copyTo(b);
        float[] back = b.toArray(FLOAT32);
        System.out.println(Arrays.toString(back));
        System.out.println(a.planCopyTo(b));
      }
    }
  }
}
