package org.cuarray;

/**
 * How much is remembered of where arrays were allocated, for the report on one that was never
 * closed. A forgotten array is freed in any case.
 */
public enum LeakReports {
  /** Nothing is remembered, nothing reported. */
  OFF,

  /** A stack trace for some allocations; every leak is reported, with its trace if it has one. */
  SAMPLED,

  /** A stack trace for every allocation, at some microseconds each. */
  EVERY_ALLOCATION
}
