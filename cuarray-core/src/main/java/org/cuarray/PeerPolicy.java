package org.cuarray;

/** Whether a runtime copies between devices directly. */
public enum PeerPolicy {
  /** Over links that have proved themselves, through the host elsewhere. The default. */
  AUTO,

  /** Never: no peer access is enabled, no pool granted, no link tried. */
  OFF,

  /**
   * Every copy between devices is a peer copy; where the link has not proved itself, the copy is
   * refused. For measuring.
   */
  FORCE_PEER,

  /** Every copy goes through the host, within a device too. For measuring. */
  FORCE_HOST_STAGED
}
