package org.cuarray.copy;

import org.cuarray.driver.CudaDriver;
import org.cuarray.memory.Region;
import org.cuarray.stream.StreamPolicy;
import org.cuarray.stream.StreamPolicy.Lane;

/** Copies between pinned host memory and a device: one asynchronous driver call, in order. */
public final class HostArrayCopies {
  private final StreamPolicy streams;
  private final SingleCallCopy hostToDevice;
  private final SingleCallCopy deviceToHost;

  /** The copies of one runtime. */
  public HostArrayCopies(CudaDriver driver, StreamPolicy streams) {
    this.streams = streams;
    this.hostToDevice =
        new SingleCallCopy(
            "cuMemcpyHtoDAsync",
            (host, device, stream) ->
                driver.memcpyHtoDAsync(
                    device.address(), host.address(), host.bytes(), stream.handle()));
    this.deviceToHost =
        new SingleCallCopy(
            "cuMemcpyDtoHAsync",
            (device, host, stream) ->
                driver.memcpyDtoHAsync(
                    host.address(), device.address(), device.bytes(), stream.handle()));
  }

  /** Host to device; both regions have the same size. */
  public void upload(Region host, Region device) {
    copy(hostToDevice, host, device, device.ordinal(), Lane.UPLOAD);
  }

  /** Device to host; both regions have the same size. */
  public void download(Region device, Region host) {
    copy(deviceToHost, device, host, device.ordinal(), Lane.DOWNLOAD);
  }

  private void copy(
      SingleCallCopy call, Region source, Region destination, int ordinal, Lane lane) {
    source.requireOpen();
    destination.requireOpen();
    if (source.bytes() > 0) {
      // Only now: the first use of a lane makes its stream, and the device's context.
      call.copy(source, destination, streams.lane(ordinal, lane));
    }
  }
}
