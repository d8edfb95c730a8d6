package org.cuarray.driver;

/** The attributes asked of a pointer, {@code CU_POINTER_ATTRIBUTE_*}. */
public final class PointerAttribute {
  /** The context that allocated it; 0 for pool memory. */
  public static final int CONTEXT = 1;

  /** {@link MemoryType}. */
  public static final int MEMORY_TYPE = 2;

  /** A number that no other allocation of the process has or had. */
  public static final int BUFFER_ID = 7;

  /** 1 for managed memory. */
  public static final int IS_MANAGED = 8;

  /** The device it was allocated on. */
  public static final int DEVICE_ORDINAL = 9;

  /** First address of its allocation. */
  public static final int RANGE_START_ADDR = 11;

  /** Bytes of its allocation. */
  public static final int RANGE_SIZE = 12;

  /** 1 where the address is mapped. */
  public static final int MAPPED = 13;

  /** The pool that it came from; 0 for anything else. */
  public static final int MEMPOOL_HANDLE = 17;

  private PointerAttribute() {}
}
