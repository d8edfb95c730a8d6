package org.cuarray;

/**
 * How far a peer link, from one device to another, is to be trusted. Links belong to the process,
 * so two runtimes over the same driver see the same states.
 *
 * <p>Only {@link #PROVED} and {@link #SLOW} links carry copies; all others are staged through the
 * host.
 */
public enum LinkState {
  /**
   * The driver calls the pair capable; no copy has needed the link yet, so it has not been proved.
   */
  UNTRIED,

  /** It delivered test patterns into every kind of memory that it has been asked to carry. */
  PROVED,

  /**
   * Proved, yet no faster than staging through the host: the driver probably stages on its own. The
   * bytes are right, the speed is not a peer link's.
   */
  SLOW,

  /** The driver says that the one device cannot reach the other's memory: no link, MIG, or vGPU. */
  NOT_CAPABLE,

  /** The driver calls the pair capable, yet refused to enable or grant the access. */
  REFUSED,

  /** The device has no slot left for another peer. Tried again later. */
  TOO_MANY_PEERS,

  /**
   * It reported success and did not deliver the bytes, in its proof or in verify mode. Not used
   * again by this process for that kind of memory.
   */
  QUARANTINED,

  /** Peer copies are turned off by the {@link PeerPolicy}. */
  OFF
}
