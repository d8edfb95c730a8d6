package org.cuarray.cli.bench;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one measurement gave.
 *
 * @param row the {@link Row#rowName name} of its row
 * @param work what was done
 * @param who did it: {@link #CUARRAY}, or the baseline's name
 * @param from ordinal of the device that the bytes came from; null where they came from none
 * @param to ordinal of the device that the bytes went to; null where they went to none
 * @param bytes of one copy or allocation
 * @param unit symbol of the unit
 * @param value of all repetitions
 */
public record Figure(
    String row,
    String work,
    String who,
    @Nullable Integer from,
    @Nullable Integer to,
    long bytes,
    String unit,
    Summary value) {

  /** This library, as its users call it. */
  public static final String CUARRAY = "cuarray";

  /**
   * Whether this library did it.
   *
   * @return false for a baseline
   */
  public boolean isOurs() {
    return who.equals(CUARRAY);
  }

  /**
   * Whether the bytes went from one device to another.
   *
   * @param source ordinal of the one
   * @param destination ordinal of the other
   * @return false also for uploads and downloads
   */
  public boolean isBetween(int source, int destination) {
    return Objects.equals(from, source) && Objects.equals(to, destination);
  }
}
