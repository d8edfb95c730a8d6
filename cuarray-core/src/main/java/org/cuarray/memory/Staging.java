package org.cuarray.memory;

import static com.google.common.base.Preconditions.checkNotNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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

  /**
   * Pinning anew costs a large copy some milliseconds once; pinned memory is lost to all others.
   */
  private static final Duration IDLE = Duration.ofSeconds(30);

  private static final System.Logger LOG = System.getLogger("org.cuarray");

  private final CudaDriver driver;
  private final StagingBounds bounds;
  private final long smallBytes;
  private final StagingMemory memory;
  private final AtomicReferenceArray<@Nullable Rings> devices;
  private final long idleNanos;
  private final ScheduledThreadPoolExecutor idleCheck;
  private final AtomicBoolean idleIsWatched = new AtomicBoolean();

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
    this(driver, devices, bounds, IDLE);
  }

  /**
   * Staging that keeps its memory for a time of its own.
   *
   * @param idle after which a ring that nothing passes through gives its memory back
   */
  Staging(CudaDriver driver, int devices, StagingBounds bounds, Duration idle) {
    this.idleNanos = idle.toNanos();
    this.idleCheck =
        new ScheduledThreadPoolExecutor(
            1,
            runnable -> {
              Thread thread = new Thread(runnable, "cuarray-staging");
              thread.setDaemon(true);
              return thread;
            });
    idleCheck.setKeepAliveTime(1, TimeUnit.SECONDS);
    idleCheck.allowCoreThreadTimeOut(true);
    this.driver = driver;
    this.bounds = bounds;
    this.smallBytes = Math.min(SMALL, bounds.chunkBytes());
    this.memory = new StagingMemory(driver);
    this.devices = new AtomicReferenceArray<>(devices);
  }

  /**
   * The ring for a transfer, with the slots that it can use; the transfer {@linkplain
   * StagingRing#end ends} it. May block while memory is pinned, so it is called before any lock is
   * taken.
   *
   * @param ordinal the device; for copies between devices, the source's
   */
  public StagingRing begin(Use use, int ordinal, long bytes) {
    Rings rings = rings(ordinal);
    @Nullable StagingRing ring = (bytes <= smallBytes ? rings.small : rings.large).get(use);
    checkNotNull(ring, "every use has its rings");
    ring.begin(ordinal, bytes);
    if (!idleIsWatched.get() && idleIsWatched.compareAndSet(false, true)) {
      watchIdle();
    }
    return ring;
  }

  private void watchIdle() {
    try {
      ScheduledFuture<?> unused =
          idleCheck.schedule(this::checkIdle, idleNanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      LOG.log(System.Logger.Level.DEBUG, "closed meanwhile, which gives all memory back", e);
    }
  }

  private void checkIdle() {
    if (giveBackIdle(idleNanos)) {
      watchIdle();
      return;
    }
    idleIsWatched.set(false);
    // A transfer may have begun since, and have seen the watch that ends here.
    if (memory.held() > 0 && idleIsWatched.compareAndSet(false, true)) {
      watchIdle();
    }
  }

  /**
   * Gives back the memory of rings that nothing has passed through for a while.
   *
   * @param nanos how long; 0 for whatever is not in use at this moment
   * @return whether there is memory left
   */
  boolean giveBackIdle(long nanos) {
    boolean left = false;
    for (StagingRing ring : rings()) {
      left |= ring.giveBackIdle(nanos);
    }
    return left;
  }

  private List<StagingRing> rings() {
    List<StagingRing> all = new ArrayList<>();
    for (int i = 0; i < devices.length(); i++) {
      Rings rings = devices.get(i);
      if (rings != null) {
        all.addAll(rings.small.values());
        all.addAll(rings.large.values());
      }
    }
    return all;
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
    idleCheck.shutdownNow();
    memory.refuse();
    rings().forEach(StagingRing::close);
  }
}
