package org.cuarray.memory;

import java.nio.ByteBuffer;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.DriverStatus;
import org.cuarray.stream.AccessMode;
import org.cuarray.stream.Operation;
import org.cuarray.stream.OrderedStream;
import org.cuarray.stream.StreamPolicy;
import org.cuarray.stream.StreamPolicy.Lane;

/** Sets every element of a region to one value, on the device. */
public final class Fills {
  private final CudaDriver driver;
  private final StreamPolicy streams;

  /** The fills of one runtime. */
  public Fills(CudaDriver driver, StreamPolicy streams) {
    this.driver = driver;
    this.streams = streams;
  }

  /**
   * Fills a region.
   *
   * @param element 1, 2, 4, 8 or 16 bytes in native order; divides the region, which is aligned to
   *     it
   */
  public void fill(Region region, ByteBuffer element) {
    region.requireOpen();
    if (region.bytes() == 0) {
      return;
    }
    OrderedStream stream = streams.lane(region.ordinal(), Lane.COMPUTE);
    Operation step = Operation.begin();
    try {
      int written = region.touchedBy(step, AccessMode.WRITE);
      step.lock();
      region.requireOpen();
      step.after(written);
      step.enterLast(stream, region.address(), 0);
      int status = submit(region, element, stream.handle());
      step.leave();
      DriverStatus.check(status, "cuMemsetAsync", region.ordinal(), region.bytes());
    } finally {
      step.end();
    }
  }

  private int submit(Region region, ByteBuffer element, long stream) {
    long address = region.address();
    long bytes = region.bytes();
    return switch (element.remaining()) {
      case 1 -> driver.memsetD8Async(address, element.get(0), bytes, stream);
      case 2 -> driver.memsetD16Async(address, element.getShort(0), bytes / 2, stream);
      case 4 -> driver.memsetD32Async(address, element.getInt(0), bytes / 4, stream);
      default ->
          isOneWord(element)
              ? driver.memsetD32Async(address, element.getInt(0), bytes / 4, stream)
              : fillByDoubling(address, bytes, element, stream);
    };
  }

  private static boolean isOneWord(ByteBuffer element) {
    for (int i = Integer.BYTES; i < element.remaining(); i += Integer.BYTES) {
      if (element.getInt(i) != element.getInt(0)) {
        return false;
      }
    }
    return true;
  }

  /** The driver sets at most 32 bits: set the first element, then let the filled part double. */
  private int fillByDoubling(long address, long bytes, ByteBuffer element, long stream) {
    int status = CudaError.SUCCESS;
    for (int i = 0; i < element.remaining() && status == CudaError.SUCCESS; i += Integer.BYTES) {
      status = driver.memsetD32Async(address + i, element.getInt(i), 1, stream);
    }
    for (long filled = element.remaining();
        filled < bytes && status == CudaError.SUCCESS;
        filled *= 2) {
      status =
          driver.memcpyDtoDAsync(
              address + filled, address, Math.min(filled, bytes - filled), stream);
    }
    return status;
  }
}
