package org.cuarray.driver;

/** Flags of driver calls. */
public final class DriverFlags {
  /** {@code CU_STREAM_LEGACY}: the default stream of whatever context is current, as is 0. */
  public static final long STREAM_LEGACY = 1;

  /** {@code CU_STREAM_PER_THREAD}: the same, and of the calling thread. */
  public static final long STREAM_PER_THREAD = 2;

  /** {@code CU_STREAM_NON_BLOCKING}: not synchronised with the legacy default stream. */
  public static final int STREAM_NON_BLOCKING = 1;

  /** {@code CU_EVENT_BLOCKING_SYNC}: a host thread that waits sleeps. */
  public static final int EVENT_BLOCKING_SYNC = 1;

  /** {@code CU_EVENT_DISABLE_TIMING}. */
  public static final int EVENT_DISABLE_TIMING = 2;

  /** {@code CU_MEMHOSTALLOC_PORTABLE}: pinned for every context. */
  public static final int HOST_ALLOC_PORTABLE = 1;

  /** {@code CU_MEM_ATTACH_GLOBAL}: managed memory that every stream may use. */
  public static final int MEM_ATTACH_GLOBAL = 1;

  private DriverFlags() {}
}
