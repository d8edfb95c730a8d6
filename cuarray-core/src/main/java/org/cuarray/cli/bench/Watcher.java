package org.cuarray.cli.bench;

import java.util.List;

/**
 * Is told what the benchmark does while it does it. Called on the measuring thread, between
 * measurements.
 */
public interface Watcher {
  /**
   * A measurement begins.
   *
   * @param done how many have ended
   * @param all how many there will be
   */
  void beforeStep(int done, int all);

  /**
   * A measurement has ended.
   *
   * @param subject what was measured
   * @param figures of each way, this library's first
   */
  void measured(Subject subject, List<Figure> figures);

  /**
   * Something could not be measured.
   *
   * @param skipped what, and why
   */
  void skipped(Skipped skipped);
}
