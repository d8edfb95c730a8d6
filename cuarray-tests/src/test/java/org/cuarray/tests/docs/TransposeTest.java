package org.cuarray.tests.docs;

import static org.cuarray.DType.FLOAT32;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.cuarray.CuArray;
import org.cuarray.CuRuntime;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.junit.LeakCheck;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakCheck.class)
class TransposeTest {
  private static CuRuntime cuda;

  @BeforeAll
  static void open() {
    cuda = CuRuntime.open(SimulatedDriver.of(Preset.NVLINK));
  }

  @Test
  void aSquareKeepsItsDiagonal() {
    try (CuArray<Float> square = cuda.device(0).full(FLOAT32, 1f, 8, 8)) {
      assertEquals(1f, square.get(3, 3)); // without the try, the test fails
    }
  }

  @AfterAll
  static void close() {
    cuda.close();
  }
}
