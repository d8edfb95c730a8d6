package org.cuarray.memory;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.EnumMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.cuarray.driver.CudaDriver;
import org.jspecify.annotations.Nullable;

/**
 * The staging rings of one runtime: for each device that is copied from, uploaded to or downloaded
 * from, a ring of small slots, so that a copy of a few bytes pins little, and one of large slots.
 *
 * <p>Rings are a device's own, because copies that share one follow each other through its slots:
 * with one ring for all, copies in both directions between two devices ran no faster together than
 * one of them alone (54 GB/s in all, measured on 2 × H200).
 */
public final class Staging {
  private static final long SMALL = 64 << 10;
  private static final int SMALL_SLOTS = 16;

  private final CudaDriver driver;
  private final StagingBounds bounds;
  private final long smallBytes;
  private final StagingMemory memory;
  private final AtomicReferenceArray<@Nullable Rings> devices;

  /** What passes through a ring. */
  public enum Use {
    /** Copies from the device to other devices. */
    BETWEEN_DEVICES,
    /** Host to device. */
    UPLOAD,
    /** Device to host. */
    DOWNLOAD
  }

  /** The rings of one device; they take memory when they are first used. */
  private final class Rings {
    final EnumMap<Use, StagingRing> small = new EnumMap<>(Use.class);
    final EnumMap<Use, StagingRing> large = new EnumMap<>(Use.class);

    Rings() {
      for (Use use : Use.values()) {
        small.put(use, new StagingRing(driver, memory, smallBytes, SMALL_SLOTS, SMALL_SLOTS));
        StagingBounds large = bounds.of(use);
        this.large.put(use, new StagingRing(driver, memory, large.chunkBytes(), large.chunks(), 1));
      }
    }
  }

  Staging(CudaDriver driver, int devices, StagingBounds bounds) {
    this.driver = driver;
    this.bounds = bounds;
    this.smallBytes = Math.min(SMALL, bounds.chunkBytes());
    this.memory = new StagingMemory(driver);
    this.devices = new AtomicReferenceArray<>(devices);
  }

  /**
   * The ring for a transfer, with the slots that it can use. May block while memory is pinned, so
   * it is called before any lock is taken.
   *
   * @param ordinal the device; for copies between devices, the source's
   */
  public StagingRing reserve(Use use, int ordinal, long bytes) {
    Rings rings = rings(ordinal);
    @Nullable StagingRing ring = (bytes <= smallBytes ? rings.small : rings.large).get(use);
    checkNotNull(ring, "every use has its rings");
    ring.reserve(ordinal, bytes);
    return ring;
  }

  private Rings rings(int ordinal) {
    Rings known = devices.get(ordinal);
    if (known != null) {
      return known;
    }
    // Rings that lose the race have taken no memory yet.
    devices.compareAndSet(ordinal, null, new Rings());
    return checkNotNull(devices.get(ordinal), "rings stay once they are there");
  }

  /** Bytes of host memory held for staging. */
  public long held() {
    return memory.held();
  }

  /** Gives all memory back, once nothing passes through it any more. */
  void close() {
    memory.refuse();
    for (int i = 0; i < devices.length(); i++) {
      Rings rings = devices.get(i);
      if (rings != null) {
        rings.small.values().forEach(StagingRing::close);
        rings.large.values().forEach(StagingRing::close);
      }
    }
    memory.close();
  }
}
