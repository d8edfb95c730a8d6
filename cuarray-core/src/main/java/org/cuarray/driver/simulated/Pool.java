package org.cuarray.driver.simulated;

import java.util.ArrayList;
import java.util.List;
import org.cuarray.driver.PoolAccess;
import org.cuarray.driver.PoolAttribute;

/** A memory pool of one device. */
final class Pool {
  final Device device;
  final List<PoolChunk> chunks = new ArrayList<>(1);
  long handle;
  boolean destroyed;
  long releaseThreshold;
  long reserved;
  long reservedHigh;
  long used;
  long usedHigh;
  private final int[] access;

  /** The three reuse policies, on by default, by attribute. */
  private final long[] reuse = {0, 1, 1, 1};

  Pool(Device device, int devices) {
    this.device = device;
    this.access = new int[devices];
    access[device.ordinal] = PoolAccess.READ_WRITE;
  }

  int access(Device from) {
    return access[from.ordinal];
  }

  void setAccess(Device from, int flags) {
    access[from.ordinal] = flags;
  }

  long attribute(int attribute) {
    return switch (attribute) {
      case PoolAttribute.RELEASE_THRESHOLD -> releaseThreshold;
      case PoolAttribute.RESERVED_MEM_CURRENT -> reserved;
      case PoolAttribute.RESERVED_MEM_HIGH -> reservedHigh;
      case PoolAttribute.USED_MEM_CURRENT -> used;
      case PoolAttribute.USED_MEM_HIGH -> usedHigh;
      default -> reuse[attribute];
    };
  }

  /**
   * Sets an attribute.
   *
   * @return false where it cannot be set to that: sizes are read-only and a high-water mark can
   *     only be reset ({@code cuMemPoolSetAttribute})
   */
  boolean setAttribute(int attribute, long value) {
    switch (attribute) {
      case PoolAttribute.RELEASE_THRESHOLD -> releaseThreshold = value;
      case PoolAttribute.RESERVED_MEM_CURRENT, PoolAttribute.USED_MEM_CURRENT -> {
        return false;
      }
      case PoolAttribute.RESERVED_MEM_HIGH -> {
        reservedHigh = reserved;
        return value == 0;
      }
      case PoolAttribute.USED_MEM_HIGH -> {
        usedHigh = used;
        return value == 0;
      }
      default -> reuse[attribute] = value;
    }
    return true;
  }

  /**
   * Whether memory may be handed out to a stream after a free, by the reuse policies (CUDA
   * programming guide, "Physical Page Caching Behavior" and what follows). What the stream itself
   * freed, and what the host knows to be free, always may.
   */
  boolean mayFollow(Freeing freeing, Stream stream) {
    return freeing.isKnownToHost()
        || freeing.isOn(stream)
        || (reuse[PoolAttribute.REUSE_FOLLOW_EVENT_DEPENDENCIES] != 0 && freeing.isBefore(stream))
        || (reuse[PoolAttribute.REUSE_ALLOW_OPPORTUNISTIC] != 0 && freeing.hasHappened());
  }

  /** Whether a stream may be made to wait for memory that another one frees. */
  boolean mayMakeWait() {
    return reuse[PoolAttribute.REUSE_ALLOW_INTERNAL_DEPENDENCIES] != 0;
  }

  static boolean isAttribute(int attribute) {
    return attribute >= PoolAttribute.REUSE_FOLLOW_EVENT_DEPENDENCIES
        && attribute <= PoolAttribute.USED_MEM_HIGH;
  }

  void reserve(long bytes) {
    reserved += bytes;
    reservedHigh = Math.max(reservedHigh, reserved);
  }

  void use(long bytes) {
    used += bytes;
    usedHigh = Math.max(usedHigh, used);
  }
}
