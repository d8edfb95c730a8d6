package org.cuarray;

/** How a copy between two arrays moves the bytes. */
public enum CopyStrategy {
  /** Source and destination are on one device: {@code cuMemcpyDtoDAsync}. */
  SAME_DEVICE,

  /**
   * Source and destination are on different devices, over a link that has proved that it delivers
   * these kinds of memory: {@code cuMemcpyPeerAsync}.
   */
  PEER,

  /**
   * Through pinned memory of the host, in chunks: from the source's device and to the destination's
   * device at the same time. Used wherever the other two cannot be trusted with the bytes.
   */
  HOST_STAGED
}
