package org.cuarray.tests.multidevice;

import java.util.stream.LongStream;

/**
 * Seeds for tests over random values: two that are always run, and one that is new each time. The
 * name of the test shows its seed, and {@code -Dcuarray.seed} runs one again.
 */
public final class Seeds {
  private Seeds() {}

  /**
   * The seeds.
   *
   * @return for a {@code @MethodSource}
   */
  public static LongStream all() {
    Long again = Long.getLong("cuarray.seed");
    return again == null ? LongStream.of(1, 2, System.nanoTime()) : LongStream.of(again);
  }
}
