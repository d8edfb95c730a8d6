package org.cuarray.driver.simulated;

/**
 * How far a copy has come when its call returns. The table is NVIDIA's, section "API
 * synchronization behavior" of the <a
 * href="https://docs.nvidia.com/cuda/cuda-driver-api/api-sync-behavior.html">CUDA driver API</a>;
 * where it says that a call might be synchronous, nobody may rely on either.
 *
 * <p>Of the other calls, these wait for work: {@code cuStreamSynchronize}, {@code
 * cuEventSynchronize} and {@code cuCtxSynchronize} by contract, the end of a context, and {@code
 * cuMemFree} of memory that came from no pool, in fact though no document promises it. {@code
 * cuMemFree} of pool memory does not ("the driver makes no further synchronization", CUDA
 * programming guide, stream-ordered memory allocator), nor does {@code cuStreamDestroy} (its
 * reference page), nor anything else here.
 */
enum HostBlocking {
  /** It may not have begun. */
  NONE,
  /** It may not have begun, or be complete, or only its source may have been read. */
  PERHAPS,
  /** The stream's work before it is complete and its source has been read. */
  UNTIL_READ,
  /** It is complete. */
  UNTIL_COMPLETE;

  /** Of the calls whose names end in {@code Async}. */
  static HostBlocking ofAsynchronous(Block to, Block from) {
    if (to.kind.isHost() && from.kind.isHost()) {
      return UNTIL_COMPLETE;
    }
    return to.kind == MemoryKind.PAGEABLE || from.kind == MemoryKind.PAGEABLE ? PERHAPS : NONE;
  }

  /** Of {@code cuMemcpyHtoD} and {@code cuMemcpyDtoH}. */
  static HostBlocking ofSynchronous(Block to, Block from) {
    return from.kind == MemoryKind.PAGEABLE ? UNTIL_READ : UNTIL_COMPLETE;
  }
}
