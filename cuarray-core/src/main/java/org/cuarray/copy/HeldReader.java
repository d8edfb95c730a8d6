package org.cuarray.copy;

import java.nio.ByteBuffer;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.DriverStatus;
import org.cuarray.memory.Region;
import org.cuarray.registry.DeviceContexts;

/**
 * Reads and compares regions through the host, each as its owner sees it, with the simplest calls
 * there are. For regions that the calling thread holds and on which nothing is in flight.
 */
final class HeldReader {
  private static final long PIECE = 4 << 20;

  private final CudaDriver driver;
  private final DeviceContexts contexts;

  HeldReader(CudaDriver driver) {
    this.driver = driver;
    this.contexts = DeviceContexts.of(driver);
  }

  /**
   * Compares two regions of one size.
   *
   * @return the first byte in which they differ; -1 where they are equal
   */
  long mismatch(Region one, Region other) {
    long piece = Math.min(PIECE, one.bytes());
    long[] address = new long[1];
    DriverStatus.check(
        driver.hostMalloc(address, 2 * piece), "malloc", DriverStatus.NO_DEVICE, 2 * piece);
    try {
      ByteBuffer oneBytes = driver.hostBuffer(address[0], piece);
      ByteBuffer otherBytes = driver.hostBuffer(address[0] + piece, piece);
      for (long position = 0; position < one.bytes(); position += piece) {
        int bytes = (int) Math.min(piece, one.bytes() - position);
        read(one, position, bytes, address[0]);
        read(other, position, bytes, address[0] + piece);
        int difference = oneBytes.slice(0, bytes).mismatch(otherBytes.slice(0, bytes));
        if (difference >= 0) {
          return position + difference;
        }
      }
      return -1;
    } finally {
      driver.hostFree(address[0]);
    }
  }

  private void read(Region region, long position, int bytes, long host) {
    contexts.enter(region.residence().context());
    try {
      DriverStatus.check(
          driver.memcpyDtoH(host, region.address() + position, bytes),
          "cuMemcpyDtoH",
          region.ordinal(),
          bytes);
    } finally {
      contexts.leave();
    }
  }
}
