package org.cuarray.cli.bench;

import org.jspecify.annotations.Nullable;

/**
 * One line of the comparison: this library against something else, in the same run.
 *
 * @param work what was done
 * @param unit of both figures
 * @param cuarray the library's median
 * @param baseline the other's median; 0 where the aim is to need nothing
 * @param against what the other is
 * @param ratio how many times as good the library is: {@code cuarray / baseline} where more is
 *     better, {@code baseline / cuarray} where less is
 * @param target what the ratio should reach; null where it is told for information
 * @param met whether it does; null without a target
 */
public record Result(
    String work,
    String unit,
    double cuarray,
    double baseline,
    String against,
    double ratio,
    @Nullable Double target,
    @Nullable Boolean met) {

  /**
   * Compares two figures.
   *
   * @param work what was done
   * @param unit of both
   * @param cuarray the library's median
   * @param baseline the other's
   * @param against what the other is
   * @param target what the ratio should reach, or null
   * @return the line
   */
  public static Result of(
      String work,
      Unit unit,
      double cuarray,
      double baseline,
      String against,
      @Nullable Double target) {
    double ratio = ratio(unit, cuarray, baseline);
    return new Result(
        work,
        unit.symbol(),
        cuarray,
        baseline,
        against,
        ratio,
        target,
        target == null ? null : ratio >= target);
  }

  /**
   * How many times as good a figure is as another.
   *
   * @param unit of both
   * @param cuarray the one
   * @param baseline the other
   * @return 1 where they are the same, 0 against 0 included
   */
  static double ratio(Unit unit, double cuarray, double baseline) {
    if (cuarray == baseline) {
      return 1;
    }
    return unit.moreIsBetter() ? cuarray / baseline : baseline / cuarray;
  }
}
