package org.cuarray.tests.examples;

import org.cuarray.cli.bench.Unit;

/**
 * What {@link Jacobi} took, in milliseconds.
 *
 * @param size of the grid
 * @param iterations of each time
 * @param normEvery in how many of them the norm was looked at once
 * @param gpus all devices
 * @param one on one device
 * @param all on all devices
 * @param apart on all devices, without exchange
 * @param submission of one iteration on all devices: until the host is done with it
 */
record JacobiFigures(
    int size,
    int iterations,
    int normEvery,
    int gpus,
    double one,
    double all,
    double apart,
    double submission) {
  private static final int LARGE = 16384;
  private static final int SMALL = 4096;

  /** Adds them, with the targets of two devices, 1000 iterations and a norm in one of 100. */
  void addTo(ExampleReport report) {
    boolean isTargeted = gpus == 2 && iterations == 1000 && normEvery == 100;
    if (isTargeted && size == LARGE) {
      report.add(work(1), Unit.MILLISECONDS, one, 1100, "at most", 1.0);
      report.add(work(2), Unit.MILLISECONDS, all, 600, "at most", 1.0);
    }
    report.add(
        work(gpus),
        Unit.MILLISECONDS,
        all,
        one / gpus,
        "1 GPU, ideal scaling",
        isTargeted ? efficiency() : null);
    report.add(
        work(gpus) + ", with the exchange",
        Unit.MILLISECONDS,
        all,
        apart,
        "the same rows without exchange",
        null);
    report.add(
        work(gpus) + ", submission of an iteration",
        Unit.MICROSECONDS,
        1e3 * submission,
        1e3 * all / iterations,
        "the whole iteration",
        null);
  }

  private String work(int count) {
    return "jacobi %dx%d, %d GPU%s".formatted(size, size, count, count == 1 ? "" : "s");
  }

  private Double efficiency() {
    return switch (size) {
      case LARGE -> 0.90;
      case SMALL -> 0.85;
      default -> null;
    };
  }
}
