package org.cuarray.stream;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import org.cuarray.CuClosedException;
import org.cuarray.driver.CudaDriver;
import org.cuarray.registry.DeviceContexts;
import org.jspecify.annotations.Nullable;

/**
 * Which stream an operation takes: the one place that decides what can overlap with what.
 *
 * <ul>
 *   <li>Kernels, fills and copies within a device share its {@linkplain Lane#COMPUTE compute}
 *       stream.
 *   <li>Uploads and downloads have a stream each per device: H200 has separate copy engines for the
 *       two directions, and neither should queue behind compute.
 *   <li>Every ordered pair of devices has a stream on the source ({@link #departure}) and one on
 *       the destination ({@link #arrival}), so that copies over different links overlap. A peer
 *       copy takes the departure stream; both sides' streams run it at the same speed (396 GB/s
 *       measured, and the same over one, two or four streams).
 *   <li>Memory is allocated and freed on streams of its own: a new array must not wait for the
 *       compute queued before it, nor compute for the copies that a freed array is still part of.
 * </ul>
 *
 * <p>Streams are made when first needed, so an unused device gets none. Thread-safe.
 */
public final class StreamPolicy {
  /** What a stream of a device is for. */
  public enum Lane {
    /** Kernels, fills, copies within the device. */
    COMPUTE(0),
    /** Host to device. */
    UPLOAD(1),
    /** Device to host. */
    DOWNLOAD(2),
    /** Stream-ordered allocation. */
    ALLOCATE(3),
    /** Stream-ordered freeing of memory that other streams have used. */
    FREE(4);

    private final int slot;

    Lane(int slot) {
      this.slot = slot;
    }
  }

  private static final int LANES = Lane.values().length;
  private static final int NORMAL_PRIORITY = 0;

  private final CudaDriver driver;
  private final int devices;

  /** By device and {@link Lane}, then the departures and arrivals by other device. */
  private final AtomicReferenceArray<@Nullable OrderedStream> streams;

  private final ReentrantLock lock = new ReentrantLock();
  private boolean closed;

  /** The streams of one runtime. */
  public StreamPolicy(CudaDriver driver) {
    this.driver = driver;
    this.devices = DeviceContexts.of(driver).count();
    this.streams = new AtomicReferenceArray<>(devices * slotsPerDevice());
  }

  private int slotsPerDevice() {
    return LANES + 2 * devices;
  }

  /** The stream of a device for one kind of work. */
  public OrderedStream lane(int ordinal, Lane lane) {
    return stream(ordinal, lane.slot);
  }

  /** The stream on the source's device for copies to another one. */
  public OrderedStream departure(int source, int destination) {
    return stream(source, LANES + destination);
  }

  /** The stream on the destination's device for copies from another one. */
  public OrderedStream arrival(int source, int destination) {
    return stream(destination, LANES + devices + source);
  }

  private OrderedStream stream(int ordinal, int slot) {
    OrderedStream stream = streams.get(ordinal * slotsPerDevice() + slot);
    return stream != null ? stream : create(ordinal, slot);
  }

  private OrderedStream create(int ordinal, int slot) {
    lock.lock();
    try {
      if (closed) {
        throw new CuClosedException("the runtime whose streams these are was closed");
      }
      int position = ordinal * slotsPerDevice() + slot;
      OrderedStream stream = streams.get(position);
      if (stream == null) {
        stream = OrderedStream.create(driver, ordinal, NORMAL_PRIORITY);
        streams.set(position, stream);
      }
      return stream;
    } finally {
      lock.unlock();
    }
  }

  /** Blocks the host until everything submitted to these streams so far has completed. */
  public void synchronize() {
    for (int i = 0; i < streams.length(); i++) {
      OrderedStream stream = streams.get(i);
      if (stream != null) {
        stream.synchronize();
      }
    }
  }

  /** Waits for the work and destroys the streams. Idempotent. */
  public void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
    for (int i = 0; i < streams.length(); i++) {
      OrderedStream stream = streams.get(i);
      if (stream != null) {
        stream.close();
      }
    }
  }
}
