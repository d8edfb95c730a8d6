package org.cuarray.driver;

/** Access of a device to a pool, {@code CU_MEM_ACCESS_FLAGS_PROT_*}. */
public final class PoolAccess {
  /** No access. */
  public static final int NONE = 0;

  /** Read only. */
  public static final int READ = 1;

  /** Read and write. */
  public static final int READ_WRITE = 3;

  private PoolAccess() {}
}
