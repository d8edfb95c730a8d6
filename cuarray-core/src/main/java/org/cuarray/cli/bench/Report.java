package org.cuarray.cli.bench;

import java.util.List;

/**
 * All that a run gave; what {@code --json} writes.
 *
 * @param schema version of this shape; 1
 * @param started date and time, UTC
 * @param seconds that the run took
 * @param effort name of the {@link Effort}
 * @param machine that it ran on
 * @param links what the planner says of a copy between pool memory, for each ordered pair
 * @param measurements every figure
 * @param skipped what was not measured
 * @param results the comparison
 */
public record Report(
    int schema,
    String started,
    double seconds,
    String effort,
    MachineInfo machine,
    List<Link> links,
    List<Figure> measurements,
    List<Skipped> skipped,
    List<Result> results) {

  /** The version of this shape. */
  public static final int SCHEMA = 1;

  /**
   * The way that copies take between two devices.
   *
   * @param from ordinal of the source
   * @param to ordinal of the destination
   * @param strategy of the planner
   * @param reason that it gives
   */
  public record Link(int from, int to, String strategy, String reason) {}
}
