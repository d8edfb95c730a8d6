package org.cuarray;

/**
 * How much of a device's memory is in use, all in bytes, as of one moment.
 *
 * @param used asked for by live arrays of this runtime
 * @param reserved held by this runtime: its classic arrays, and its pool with what the pool keeps
 *     between uses
 * @param free not held by any process
 * @param total of the device
 */
public record DeviceMemory(long used, long reserved, long free, long total) {
  @Override
  public String toString() {
    return "%s used, %s reserved, %s free of %s"
        .formatted(
            ByteCount.text(used),
            ByteCount.text(reserved),
            ByteCount.text(free),
            ByteCount.text(total));
  }
}
