package org.cuarray.driver.simulated;

/** The copying calls, by what each accepts ({@code driver-facts.md}, copies). */
enum CopyCall {
  /** {@code cuMemcpyAsync}: any memory to any memory, by unified addressing. */
  UNIFIED(true, false),
  /** {@code cuMemcpyDtoDAsync}: the same, but memory that CUDA does not know is refused. */
  DEVICE_TO_DEVICE(false, false),
  /** {@code cuMemcpyPeerAsync}: stages into a pool, too; its contexts are not checked. */
  PEER(false, true),
  /** {@code cuMemcpyHtoDAsync} and {@code cuMemcpyDtoHAsync}: one side is any host memory. */
  WITH_HOST(true, true),
  /** {@code cuMemcpyHtoD} and {@code cuMemcpyDtoH}. */
  WITH_HOST_AND_WAIT(true, true);

  private final boolean takesPageable;
  private final boolean stagesIntoPools;

  CopyCall(boolean takesPageable, boolean stagesIntoPools) {
    this.takesPageable = takesPageable;
    this.stagesIntoPools = stagesIntoPools;
  }

  boolean takes(Block block) {
    return takesPageable || block.kind != MemoryKind.PAGEABLE;
  }

  /** Whether memory of another device that the working one does not reach may be written. */
  boolean mayStageInto(Block block) {
    return stagesIntoPools || block.kind != MemoryKind.POOL;
  }

  HostBlocking blocking(Block to, Block from) {
    return this == WITH_HOST_AND_WAIT
        ? HostBlocking.ofSynchronous(to, from)
        : HostBlocking.ofAsynchronous(to, from);
  }
}
