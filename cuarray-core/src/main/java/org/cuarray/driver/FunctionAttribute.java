package org.cuarray.driver;

/** The attributes asked of a kernel function, {@code CU_FUNC_ATTRIBUTE_*}. */
public final class FunctionAttribute {
  /** Threads in one block, at most; fewer than the device's where the function needs registers. */
  public static final int MAX_THREADS_PER_BLOCK = 0;

  /** Bytes of shared memory that the function declares itself. */
  public static final int SHARED_SIZE_BYTES = 1;

  /** Bytes of local memory that each thread has. */
  public static final int LOCAL_SIZE_BYTES = 3;

  /** Registers that each thread has. */
  public static final int NUM_REGS = 4;

  /** PTX version that it was compiled for, 10 × major + minor. */
  public static final int PTX_VERSION = 5;

  /** Architecture that its machine code is for, 10 × major + minor. */
  public static final int BINARY_VERSION = 6;

  /** Bytes of shared memory that a launch may ask for besides; can be set. */
  public static final int MAX_DYNAMIC_SHARED_SIZE_BYTES = 8;

  private FunctionAttribute() {}
}
