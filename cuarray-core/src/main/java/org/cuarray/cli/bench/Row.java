package org.cuarray.cli.bench;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The groups of measurements, in the order in which they run: what is measured in microseconds
 * comes before the copies that fill machine and caches.
 */
public enum Row {
  /** What submitting a small peer copy costs. */
  SUBMIT,

  /** A small peer copy, submitted and waited for. */
  LATENCY,

  /** Small copies to and fro between two devices. */
  PINGPONG,

  /** Allocating and closing. */
  ALLOCATE,

  /** What a copy leaves on the Java heap. */
  GARBAGE,

  /** Large copies over peer links, and within a device. */
  PEER,

  /** Large copies through the host. */
  STAGED,

  /** Uploads and downloads. */
  HOST,

  /** Bandwidth over size, for each strategy. */
  CURVE;

  /**
   * The row of a name.
   *
   * @param name as {@link #rowName} gives it
   * @return the row
   * @throws IllegalArgumentException for any other name; its message lists them all
   */
  public static Row named(String name) {
    return Arrays.stream(values())
        .filter(row -> row.rowName().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "\"%s\" is no row; there are %s"
                        .formatted(
                            name,
                            Arrays.stream(values())
                                .map(Row::rowName)
                                .collect(Collectors.joining(", ")))));
  }

  /**
   * The name on the command line.
   *
   * @return in lower case
   */
  public String rowName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
