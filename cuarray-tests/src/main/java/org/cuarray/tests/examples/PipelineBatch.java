package org.cuarray.tests.examples;

/** Batches of whole numbers that tell which batch and which element they are, and their results. */
final class PipelineBatch {
  /** How many different elements a batch has. */
  private static final int PERIOD = 997;

  private PipelineBatch() {}

  /** What a stage makes of an element. */
  @FunctionalInterface
  interface Stage {
    float of(float element, float addend);
  }

  static float[] of(int batch, int size) {
    float[] elements = new float[size];
    for (int i = 0; i < size; i++) {
      elements[i] = element(batch, i);
    }
    return elements;
  }

  private static float element(int batch, int i) {
    return batch * 1000 + i % PERIOD;
  }

  /**
   * Compares the result of a batch with that of plain Java.
   *
   * @throws IllegalStateException where an element is wrong, with both values
   */
  static void requireResult(int batch, float[] actual, Stage stage) {
    float[] expected = new float[Math.min(PERIOD, actual.length)];
    for (int i = 0; i < expected.length; i++) {
      float between = stage.of(element(batch, i), Pipeline.FIRST_ADDEND);
      expected[i] = stage.of(between, Pipeline.SECOND_ADDEND);
    }
    for (int i = 0; i < actual.length; i++) {
      if (actual[i] != expected[i % PERIOD]) {
        throw new IllegalStateException(
            "element %d of batch %d is %s and should be %s"
                .formatted(i, batch, actual[i], expected[i % PERIOD]));
      }
    }
  }
}
