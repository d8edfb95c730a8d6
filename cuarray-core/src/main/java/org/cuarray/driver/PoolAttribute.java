package org.cuarray.driver;

/** The attributes of a memory pool, {@code CU_MEMPOOL_ATTR_*}. */
public final class PoolAttribute {
  /** 1: memory freed on another stream may be reused where an event orders the two. */
  public static final int REUSE_FOLLOW_EVENT_DEPENDENCIES = 1;

  /** 1: memory freed on another stream may be reused once that free has completed. */
  public static final int REUSE_ALLOW_OPPORTUNISTIC = 2;

  /** 1: the driver may make the allocating stream wait for a free on another stream. */
  public static final int REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3;

  /** Bytes kept when streams are synchronised. */
  public static final int RELEASE_THRESHOLD = 4;

  /** Bytes the pool holds now. */
  public static final int RESERVED_MEM_CURRENT = 5;

  /** The most it held. */
  public static final int RESERVED_MEM_HIGH = 6;

  /** Bytes allocated from it now. */
  public static final int USED_MEM_CURRENT = 7;

  /** The most allocated from it. */
  public static final int USED_MEM_HIGH = 8;

  private PoolAttribute() {}
}
