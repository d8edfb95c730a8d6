package org.cuarray.driver;

/** What kind of memory a pointer points to, {@code CU_MEMORYTYPE_*}. */
public final class MemoryType {
  /** Host memory. */
  public static final int HOST = 1;

  /** Device memory. */
  public static final int DEVICE = 2;

  /** A CUDA array. */
  public static final int ARRAY = 3;

  /** Unified memory. */
  public static final int UNIFIED = 4;

  private MemoryType() {}
}
