package org.cuarray.driver.simulated;

import static org.cuarray.driver.CudaError.INVALID_VALUE;
import static org.cuarray.driver.CudaError.SUCCESS;

import org.cuarray.driver.MemoryType;
import org.cuarray.driver.PointerAttribute;

/** What the driver tells about a pointer; needs no current context. */
final class Pointers {
  private final Memory memory;

  Pointers(Memory memory) {
    this.memory = memory;
  }

  int attribute(long[] value, int attribute, long pointer) {
    Block block = memory.known(pointer);
    if (block == null || !isKnown(attribute)) {
      return INVALID_VALUE;
    }
    if (block.isLost()) {
      return Machine.LOST;
    }
    value[0] = attribute(block, attribute);
    return SUCCESS;
  }

  /** Of an unknown pointer it says zeros, and {@code SUCCESS} ({@code cuPointerGetAttributes}). */
  int attributes(int count, int[] attributes, long[] values, long pointer) {
    for (int i = 0; i < count; i++) {
      if (!isKnown(attributes[i])) {
        return INVALID_VALUE;
      }
    }
    Block block = memory.known(pointer);
    if (block != null && block.isLost()) {
      return Machine.LOST;
    }
    for (int i = 0; i < count; i++) {
      values[i] = block == null ? 0 : attribute(block, attributes[i]);
    }
    return SUCCESS;
  }

  private static boolean isKnown(int attribute) {
    return switch (attribute) {
      case PointerAttribute.CONTEXT,
          PointerAttribute.MEMORY_TYPE,
          PointerAttribute.BUFFER_ID,
          PointerAttribute.IS_MANAGED,
          PointerAttribute.DEVICE_ORDINAL,
          PointerAttribute.RANGE_START_ADDR,
          PointerAttribute.RANGE_SIZE,
          PointerAttribute.MAPPED,
          PointerAttribute.MEMPOOL_HANDLE ->
          true;
      default -> false;
    };
  }

  private static long attribute(Block block, int attribute) {
    Context context = block.context;
    Device device = block.device;
    PoolChunk chunk = block.chunk;
    return switch (attribute) {
      case PointerAttribute.CONTEXT -> context == null ? 0 : context.handle;
      case PointerAttribute.MEMORY_TYPE ->
          block.kind.isHost() ? MemoryType.HOST : MemoryType.DEVICE;
      case PointerAttribute.BUFFER_ID -> block.id;
      case PointerAttribute.IS_MANAGED -> block.kind == MemoryKind.MANAGED ? 1 : 0;
      case PointerAttribute.DEVICE_ORDINAL -> device == null ? 0 : device.ordinal;
      case PointerAttribute.RANGE_START_ADDR -> block.address;
      case PointerAttribute.RANGE_SIZE -> block.bytes;
      case PointerAttribute.MAPPED -> 1;
      case PointerAttribute.MEMPOOL_HANDLE -> chunk == null ? 0 : chunk.pool.handle;
      default -> throw new IllegalArgumentException("pointer attribute " + attribute);
    };
  }
}
