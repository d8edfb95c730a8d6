package org.cuarray.driver.simulated;

import static org.cuarray.driver.CudaError.INVALID_VALUE;
import static org.cuarray.driver.CudaError.OUT_OF_MEMORY;
import static org.cuarray.driver.CudaError.SUCCESS;

import java.nio.ByteBuffer;

/** Host memory, pinned and pageable. */
final class HostMemory {
  private static final long PAGE = 4096;
  private static final long CACHE_LINE = 64;

  /** Portable, device-mapped, write-combined. */
  private static final int ALL_FLAGS = 7;

  /** More than any host has; the simulated one has no other bound. */
  private static final long LARGEST = 1L << 40;

  private final Machine machine;
  private final Contexts contexts;
  private long pinned;

  HostMemory(Machine machine, Contexts contexts) {
    this.machine = machine;
    this.contexts = contexts;
  }

  int allocatePinned(long[] address, long bytes, int flags) {
    Context context = contexts.current();
    if (context == null) {
      return contexts.refusal();
    }
    if (bytes == 0 || (flags & ~ALL_FLAGS) != 0) {
      return INVALID_VALUE;
    }
    if (bytes < 0 || bytes > LARGEST || bytes > machine.spec.pinnedLimit() - pinned) {
      return OUT_OF_MEMORY;
    }
    long start = machine.pinnedAddresses().take(Pools.roundUp(bytes, PAGE), PAGE);
    if (start < 0) {
      return OUT_OF_MEMORY;
    }
    pinned += bytes;
    machine.memory.add(Block.of(machine, MemoryKind.PINNED, start, bytes, context));
    address[0] = start;
    return SUCCESS;
  }

  int freePinned(long address) {
    Block block = machine.memory.startingAt(address);
    if (block == null || block.kind != MemoryKind.PINNED) {
      return INVALID_VALUE;
    }
    if (block.isLost()) {
      return Machine.LOST;
    }
    machine.schedule.free(block);
    release(block);
    return SUCCESS;
  }

  int allocatePageable(long[] address, long bytes) {
    if (bytes < 0 || bytes > LARGEST) {
      return OUT_OF_MEMORY;
    }
    long start = machine.pageableAddresses().take(roundedPageable(bytes), CACHE_LINE);
    if (start < 0) {
      return OUT_OF_MEMORY;
    }
    machine.memory.add(Block.pageable(machine, start, Math.max(bytes, 1)));
    address[0] = start;
    return SUCCESS;
  }

  void freePageable(long address) {
    Block block = machine.memory.startingAt(address);
    if (address == 0) {
      return;
    }
    if (block == null || block.kind != MemoryKind.PAGEABLE) {
      throw new IllegalArgumentException(
          "hostFree of 0x%x, which hostMalloc did not give".formatted(address));
    }
    machine.schedule.free(block);
    release(block);
  }

  /** Frees host memory of either kind. */
  void release(Block block) {
    machine.memory.remove(block);
    machine.findings.freed(block);
    block.becomeGarbage();
    if (block.kind == MemoryKind.PINNED) {
      pinned -= block.bytes;
      machine.pinnedAddresses().give(block.address, Pools.roundUp(block.bytes, PAGE));
    } else {
      machine.pageableAddresses().give(block.address, roundedPageable(block.bytes));
    }
  }

  ByteBuffer buffer(long address, long bytes) {
    if (bytes < 0 || bytes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("a buffer of " + bytes + " bytes: at most 2^31 - 1");
    }
    Block block = machine.memory.containing(address);
    if (block == null || !block.kind.isHost() || !block.holds(address, bytes)) {
      machine.findings.unknownAddress(address, "window");
      throw new IllegalArgumentException(
          "%d bytes at 0x%x are no live host memory of this driver".formatted(bytes, address));
    }
    return ((HostBytes) block.store).window(address - block.address, bytes);
  }

  private static long roundedPageable(long bytes) {
    return Pools.roundUp(Math.max(bytes, 1), CACHE_LINE);
  }
}
