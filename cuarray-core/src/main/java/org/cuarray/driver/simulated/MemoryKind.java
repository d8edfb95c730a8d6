package org.cuarray.driver.simulated;

/** Where an allocation came from. */
enum MemoryKind {
  /** {@code cuMemAlloc}. */
  CLASSIC(true),
  /** {@code cuMemAllocAsync} and {@code cuMemAllocFromPoolAsync}. */
  POOL(true),
  /** {@code cuMemAllocManaged}. */
  MANAGED(false),
  /** {@code cuMemHostAlloc}. */
  PINNED(false),
  /** {@code malloc}: none of CUDA's business. */
  PAGEABLE(false);

  private final boolean device;

  MemoryKind(boolean device) {
    this.device = device;
  }

  /** Whether it lies on one device for good, so that another device reaches it as a peer. */
  boolean isDevice() {
    return device;
  }

  /** Whether it is memory of the host. */
  boolean isHost() {
    return this == PINNED || this == PAGEABLE;
  }
}
