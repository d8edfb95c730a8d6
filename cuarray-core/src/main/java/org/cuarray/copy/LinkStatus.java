package org.cuarray.copy;

import java.time.Instant;
import org.cuarray.LinkState;

/**
 * What is known of a link.
 *
 * @param state whether it may be used
 * @param reason why, in one sentence for people
 * @param since when that was found
 * @param lasting false where it is worth asking again later
 */
public record LinkStatus(LinkState state, String reason, Instant since, boolean lasting) {
  static LinkStatus lasting(LinkState state, String reason) {
    return new LinkStatus(state, reason, Instant.now(), true);
  }

  static LinkStatus forNow(LinkState state, String reason) {
    return new LinkStatus(state, reason, Instant.now(), false);
  }

  /** Whether the link has proved that it delivers data. */
  public boolean isProved() {
    return state == LinkState.PROVED || state == LinkState.SLOW;
  }
}
