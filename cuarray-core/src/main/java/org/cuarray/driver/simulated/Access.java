package org.cuarray.driver.simulated;

/**
 * What a submission does to a range of an allocation.
 *
 * @param from offset of the first byte
 * @param to offset of the byte after the last
 */
record Access(Submission by, long from, long to, Mode mode) {
  enum Mode {
    READS,
    WRITES,
    /** A kernel was given the address; what it does with it shows when it runs. */
    KNOWS;

    @Override
    public String toString() {
      return switch (this) {
        case READS -> "reads";
        case WRITES -> "writes";
        case KNOWS -> "was given";
      };
    }
  }

  /** Whether two accesses to one allocation need an order between them. */
  boolean conflicts(Access other) {
    return from < other.to
        && other.from < to
        && mode != Mode.KNOWS
        && other.mode != Mode.KNOWS
        && (mode == Mode.WRITES || other.mode == Mode.WRITES);
  }

  /** Whether whoever comes after this, and conflicts with the other, conflicts with this too. */
  boolean standsFor(Access other) {
    return from <= other.from
        && to >= other.to
        && (mode == Mode.WRITES || mode == other.mode)
        && other.by.isBefore(by.clock);
  }

  @Override
  public String toString() {
    return "%s %s bytes %d to %d".formatted(by, mode, from, to);
  }
}
