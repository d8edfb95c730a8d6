package org.cuarray;

/** Whether copies are checked after they ran. */
public enum VerifyMode {
  /** Links prove themselves once, before their first use. The default. */
  OFF,

  /**
   * Every peer copy is waited for, read back from both sides through the host and compared; where
   * the bytes differ, the link is quarantined and the copy made again through the host. Slow: the
   * way to find hardware that fails now and then.
   */
  EVERY_COPY
}
