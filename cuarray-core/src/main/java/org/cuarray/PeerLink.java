package org.cuarray;

import java.time.Instant;

/**
 * What is known of the peer link from one device to another.
 *
 * @param from the device that sends
 * @param to the device that receives
 * @param state whether copies use it; where kinds of memory differ, the worse of their states
 * @param reason why, in words for people; names the kinds of memory where they differ
 * @param since when that was found
 */
public record PeerLink(CuDevice from, CuDevice to, LinkState state, String reason, Instant since) {
  @Override
  public String toString() {
    return "%s → %s: %s, %s".formatted(from, to, state, reason);
  }
}
