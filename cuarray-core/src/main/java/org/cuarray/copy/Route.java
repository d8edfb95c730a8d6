package org.cuarray.copy;

import org.cuarray.CopyStrategy;

/**
 * How copies between two residences go, and why.
 *
 * @param strategy what runs
 * @param reason why, in one sentence for people
 * @param changes how many changes of links the decision knew of; it is void after the next
 * @param expires after this {@link System#nanoTime} it is worth asking again; {@link #NEVER} for a
 *     decision that stands until a link changes
 */
public record Route(CopyStrategy strategy, String reason, int changes, long expires) {
  /** For a decision that stands until a link changes. */
  public static final long NEVER = 0;

  boolean isExpired() {
    return expires != NEVER && System.nanoTime() - expires > 0;
  }
}
