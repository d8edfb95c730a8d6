package org.cuarray.cli.bench;

import java.util.Arrays;

/** What a figure counts, and which way is better. */
public enum Unit {
  /** 10^9 bytes a second. */
  GIGABYTES_PER_SECOND("GB/s", true) {
    @Override
    double of(double nanos, long bytes) {
      return bytes / nanos;
    }
  },

  /** 10^-6 seconds each. */
  MICROSECONDS("µs", false) {
    @Override
    double of(double nanos, long bytes) {
      return nanos / 1e3;
    }
  },

  /** 10^-3 seconds each. */
  MILLISECONDS("ms", false) {
    @Override
    double of(double nanos, long bytes) {
      return nanos / 1e6;
    }
  },

  /** Bytes of the Java heap each. The only unit that no clock is read for. */
  HEAP_BYTES("heap bytes", false) {
    @Override
    double of(double sample, long bytes) {
      return sample;
    }
  };

  private final String symbol;
  private final boolean moreIsBetter;

  Unit(String symbol, boolean moreIsBetter) {
    this.symbol = symbol;
    this.moreIsBetter = moreIsBetter;
  }

  /**
   * The unit of a symbol.
   *
   * @param symbol such as {@code GB/s}
   * @return the unit
   * @throws IllegalArgumentException for any other symbol
   */
  public static Unit named(String symbol) {
    return Arrays.stream(values())
        .filter(unit -> unit.symbol.equals(symbol))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("\"" + symbol + "\" is no unit"));
  }

  /**
   * How the unit is written.
   *
   * @return a short name
   */
  public String symbol() {
    return symbol;
  }

  /**
   * Which way is better.
   *
   * @return true for bandwidths, false for times and garbage
   */
  public boolean moreIsBetter() {
    return moreIsBetter;
  }

  /** A sample in this unit: from nanoseconds for one piece of work, which moves some bytes. */
  abstract double of(double nanos, long bytes);
}
