package org.cuarray.stream;

import org.cuarray.CuDeviceLostException;
import org.cuarray.CuException;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.DriverStatus;

/**
 * The end of a stream: its last wait, as well as the driver lets it, and its destruction. Guarded
 * by the stream's lock.
 *
 * <p>A device that was lost takes its streams along, and so does the process's end.
 */
final class StreamEnd {
  /** An error that is somebody else's to hear of is met once. */
  private static final int ATTEMPTS = 3;

  private static final System.Logger LOG = System.getLogger("org.cuarray");

  private final CudaDriver driver;
  private final StreamHandle handle;
  private final EventRing ring;

  StreamEnd(CudaDriver driver, StreamHandle handle, EventRing ring) {
    this.driver = driver;
    this.handle = handle;
    this.ring = ring;
  }

  /**
   * Waits for the work on the stream. One that is being captured can't be waited for; an event from
   * before the capture can.
   *
   * @param submitted the newest ticket
   * @param completed the newest one that is known to have completed
   * @return false where the driver refuses to say whether the work has ended
   */
  boolean await(long submitted, long completed) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        int status =
            handle.isShared() && handle.isCapturing()
                ? synchronizeEvent(submitted, completed)
                : handle.synchronize();
        if (isOver(status)) {
          return true;
        }
      } catch (CuDeviceLostException e) {
        return true;
      } catch (CuException e) {
        if (DriverStatus.isShutdown(e)) {
          return true;
        }
      }
    }
    return false;
  }

  private int synchronizeEvent(long submitted, long completed) {
    if (submitted <= completed) {
      return CudaError.SUCCESS;
    }
    return ring.covers(submitted)
        ? driver.eventSynchronize(ring.event(ring.covering(submitted)))
        : CudaError.STREAM_CAPTURE_UNSUPPORTED;
  }

  private static boolean isOver(int status) {
    return status == CudaError.SUCCESS
        || status == CudaError.DEINITIALIZED
        || CudaError.isSticky(status);
  }

  /** Destroys the stream, unless its makers will, and its events. */
  void destroy() {
    try {
      ring.destroy(driver);
      handle.destroy();
    } catch (CuException e) {
      LOG.log(System.Logger.Level.DEBUG, "a lost device takes its streams along", e);
    }
  }
}
