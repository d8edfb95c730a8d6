package org.cuarray.cli;

import com.google.common.collect.ImmutableList;
import java.util.List;
import org.cuarray.AllocatorKind;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;

/**
 * One end of a copy: a device, and how memory is allocated on it.
 *
 * @param device its factories allocate that way
 * @param kind the allocator
 */
record Side(CuDevice device, AllocatorKind kind) {

  /** Every way in which every device allocates, by device. */
  static List<Side> all(CuRuntime cuda) {
    return cuda.devices().stream()
        .flatMap(device -> of(device).stream())
        .collect(ImmutableList.toImmutableList());
  }

  private static List<Side> of(CuDevice device) {
    Side classic = new Side(device.using(AllocatorKind.CLASSIC), AllocatorKind.CLASSIC);
    return hasPools(device)
        ? List.of(
            classic,
            new Side(device.using(AllocatorKind.STREAM_ORDERED), AllocatorKind.STREAM_ORDERED))
        : List.of(classic);
  }

  /** Whether a device has the stream-ordered allocator, which allocates from pools. */
  static boolean hasPools(CuDevice device) {
    try {
      return device.using(AllocatorKind.STREAM_ORDERED).equals(device);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** The kind of memory, in the word that the topology has for it. */
  String memory() {
    return kind == AllocatorKind.CLASSIC ? "classic" : "pool";
  }
}
