package org.cuarray.memory;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.EnumMap;
import org.cuarray.driver.CudaDriver;
import org.jspecify.annotations.Nullable;

/**
 * The staging rings of one runtime: for copies between devices, uploads and downloads each one of
 * small slots, so that a copy of a few bytes pins little, and one of large slots.
 */
public final class Staging {
  private static final long SMALL = 64 << 10;
  private static final int SMALL_SLOTS = 16;

  private final StagingMemory memory;
  private final EnumMap<Use, StagingRing> small = new EnumMap<>(Use.class);
  private final EnumMap<Use, StagingRing> large = new EnumMap<>(Use.class);

  /** What passes through a ring. */
  public enum Use {
    /** Copies between two devices. */
    BETWEEN_DEVICES,
    /** Host to device. */
    UPLOAD,
    /** Device to host. */
    DOWNLOAD
  }

  Staging(CudaDriver driver, StagingBounds bounds) {
    this.memory = new StagingMemory(driver);
    for (Use use : Use.values()) {
      small.put(use, new StagingRing(driver, memory, SMALL, SMALL_SLOTS));
      large.put(use, new StagingRing(driver, memory, bounds.chunkBytes(), bounds.chunks()));
    }
  }

  /**
   * The ring for a transfer, with the slots that it can use. May block while memory is pinned, so
   * it is called before any lock is taken.
   */
  public StagingRing reserve(Use use, int ordinal, long bytes) {
    @Nullable StagingRing ring = (bytes <= SMALL ? small : large).get(use);
    checkNotNull(ring, "every use has its rings");
    ring.reserve(ordinal, bytes);
    return ring;
  }

  /** Bytes of host memory held for staging. */
  public long held() {
    return memory.held();
  }

  /** Gives all memory back, once nothing passes through it any more. */
  void close() {
    memory.close();
  }
}
