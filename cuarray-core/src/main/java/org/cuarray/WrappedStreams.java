package org.cuarray;

import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.DriverFlags;
import org.cuarray.driver.DriverStatus;
import org.cuarray.registry.DeviceContexts;
import org.cuarray.stream.OrderedStream;

/** Streams that somebody else made. */
final class WrappedStreams {
  private WrappedStreams() {}

  static OrderedStream wrap(CudaDriver driver, int ordinal, long handle) {
    if (handle == DriverFlags.STREAM_PER_THREAD) {
      throw new IllegalArgumentException(
          "the per-thread default stream is another stream on every thread, so no order can be kept"
              + " with it; wrap a stream that was created");
    }
    DeviceContexts contexts = DeviceContexts.of(driver);
    if (handle == 0 || handle == DriverFlags.STREAM_LEGACY) {
      return OrderedStream.wrap(driver, ordinal, contexts.context(ordinal), handle);
    }
    long[] context = new long[1];
    DriverStatus.check(driver.streamGetCtx(handle, context), "cuStreamGetCtx", ordinal);
    int owner = contexts.deviceOf(context[0]);
    if (owner != ordinal) {
      throw new IllegalArgumentException(
          "stream 0x%x is on cuda:%d and was to be wrapped on cuda:%d"
              .formatted(handle, owner, ordinal));
    }
    return OrderedStream.wrap(driver, ordinal, context[0], handle);
  }
}
