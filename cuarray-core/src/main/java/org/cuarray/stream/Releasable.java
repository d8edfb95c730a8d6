package org.cuarray.stream;

/** What somebody is expected to close, and what can be closed for those who forget. */
public interface Releasable {
  /** Whether it has been closed. */
  boolean isClosed();

  /** Closes it. Idempotent; throws nothing. */
  void close();
}
