package org.cuarray;

/**
 * What {@link CuArray#copyTo(CuArray)} would do, and why.
 *
 * @param strategy the way the bytes go
 * @param reason why that way, in one sentence
 * @param bytes how many
 * @param source the device that they come from
 * @param destination the device that they go to
 */
public record CopyPlan(
    CopyStrategy strategy, String reason, long bytes, CuDevice source, CuDevice destination) {
  @Override
  public String toString() {
    return "%s → %s, %s, %s: %s"
        .formatted(source, destination, ByteCount.text(bytes), strategy, reason);
  }
}
