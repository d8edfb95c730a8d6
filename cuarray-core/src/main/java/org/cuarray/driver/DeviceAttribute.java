package org.cuarray.driver;

/** The attributes asked of a device, {@code CU_DEVICE_ATTRIBUTE_*}. */
public final class DeviceAttribute {
  /** Number of multiprocessors. */
  public static final int MULTIPROCESSOR_COUNT = 16;

  /** Threads in one block. */
  public static final int MAX_THREADS_PER_BLOCK = 1;

  /** Extent of a block in x. */
  public static final int MAX_BLOCK_DIM_X = 2;

  /** Extent of a block in y. */
  public static final int MAX_BLOCK_DIM_Y = 3;

  /** Extent of a block in z. */
  public static final int MAX_BLOCK_DIM_Z = 4;

  /** Extent of a grid in x. */
  public static final int MAX_GRID_DIM_X = 5;

  /** Extent of a grid in y. */
  public static final int MAX_GRID_DIM_Y = 6;

  /** Extent of a grid in z. */
  public static final int MAX_GRID_DIM_Z = 7;

  /** Bytes of shared memory a block may have without asking. */
  public static final int MAX_SHARED_MEMORY_PER_BLOCK = 8;

  /** PCI bus. */
  public static final int PCI_BUS_ID = 33;

  /** PCI device. */
  public static final int PCI_DEVICE_ID = 34;

  /** PCI domain. */
  public static final int PCI_DOMAIN_ID = 50;

  /** Number of copy engines. */
  public static final int ASYNC_ENGINE_COUNT = 40;

  /** 1 where host and devices share one address space. */
  public static final int UNIFIED_ADDRESSING = 41;

  /** Major compute capability. */
  public static final int COMPUTE_CAPABILITY_MAJOR = 75;

  /** Minor compute capability. */
  public static final int COMPUTE_CAPABILITY_MINOR = 76;

  /** 1 where streams have priorities. */
  public static final int STREAM_PRIORITIES_SUPPORTED = 78;

  /** 1 where host and device may touch managed memory at once. */
  public static final int CONCURRENT_MANAGED_ACCESS = 89;

  /** Bytes of shared memory a block may have when its function asks. */
  public static final int MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97;

  /** 1 where the stream-ordered allocator works. */
  public static final int MEMORY_POOLS_SUPPORTED = 115;

  private DeviceAttribute() {}
}
