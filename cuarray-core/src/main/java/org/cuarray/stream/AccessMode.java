package org.cuarray.stream;

/** What an operation does to a range of bytes. */
public enum AccessMode {
  /** Comes after the writes before it. */
  READ,
  /** Comes after the reads and the writes before it. */
  WRITE
}
