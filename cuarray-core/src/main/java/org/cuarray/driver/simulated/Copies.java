package org.cuarray.driver.simulated;

import static org.cuarray.driver.CudaError.INVALID_VALUE;
import static org.cuarray.driver.CudaError.SUCCESS;

import org.jspecify.annotations.Nullable;

/**
 * Copies and fills. Each is checked in full before a byte moves, as the driver does: a refused one
 * has written nothing. Work is done when the call returns.
 */
final class Copies {
  private final Machine machine;
  private final Contexts contexts;
  private final Streams streams;
  private final Peering peering;
  private final PeerPath peerPath;

  Copies(Machine machine, Contexts contexts, Streams streams, Peering peering) {
    this.machine = machine;
    this.contexts = contexts;
    this.streams = streams;
    this.peering = peering;
    this.peerPath = PeerPath.of(machine.spec, peering);
  }

  /** A copy in the order of a stream, between memory that the call knows by its addresses. */
  int copy(CopyCall call, long destination, long source, long bytes, long streamHandle) {
    Stream stream = streams.usable(streamHandle);
    if (stream == null) {
      return streams.refusal(streamHandle);
    }
    if (bytes == 0) {
      return SUCCESS;
    }
    Block to = find(destination, bytes, "write");
    Block from = find(source, bytes, "read");
    if (to == null || from == null || !call.takes(to) || !call.takes(from)) {
      return INVALID_VALUE;
    }
    return transfer(call, to, destination, from, source, bytes, stream.device());
  }

  int deviceToHost(long host, long source, long bytes, long streamHandle) {
    Stream stream = streams.usable(streamHandle);
    return stream == null
        ? streams.refusal(streamHandle)
        : deviceToHost(host, source, bytes, stream.device());
  }

  int hostToDevice(long destination, long host, long bytes, long streamHandle) {
    Stream stream = streams.usable(streamHandle);
    return stream == null
        ? streams.refusal(streamHandle)
        : hostToDevice(destination, host, bytes, stream.device());
  }

  int deviceToHost(long host, long source, long bytes) {
    Context context = contexts.current();
    return context == null ? contexts.refusal() : deviceToHost(host, source, bytes, context.device);
  }

  int hostToDevice(long destination, long host, long bytes) {
    Context context = contexts.current();
    return context == null
        ? contexts.refusal()
        : hostToDevice(destination, host, bytes, context.device);
  }

  private int deviceToHost(long host, long source, long bytes, Device worker) {
    if (bytes == 0) {
      return SUCCESS;
    }
    Block to = find(host, bytes, "write");
    Block from = find(source, bytes, "read");
    if (to == null || from == null || !to.kind.isHost() || from.kind == MemoryKind.PAGEABLE) {
      return INVALID_VALUE;
    }
    return transfer(CopyCall.WITH_HOST, to, host, from, source, bytes, worker);
  }

  private int hostToDevice(long destination, long host, long bytes, Device worker) {
    if (bytes == 0) {
      return SUCCESS;
    }
    Block to = find(destination, bytes, "write");
    Block from = find(host, bytes, "read");
    if (to == null || from == null || !from.kind.isHost() || to.kind == MemoryKind.PAGEABLE) {
      return INVALID_VALUE;
    }
    return transfer(CopyCall.WITH_HOST, to, destination, from, host, bytes, worker);
  }

  private int transfer(
      CopyCall call,
      Block to,
      long destination,
      Block from,
      long source,
      long bytes,
      Device worker) {
    if (isLost(to) || isLost(from)) {
      return Machine.LOST;
    }
    long at = destination - to.address;
    long start = source - from.address;
    if (to == from) {
      copyWithin(to, at, start, bytes, worker);
    } else if (!isPeerCopy(to, from)) {
      to.write(at, from.seenBy(worker), start, bytes);
    } else if (!call.mayStageInto(to) && !peering.reaches(worker, to)) {
      return INVALID_VALUE;
    } else if (isLinked(to, from)) {
      peerPath.copy(to, at, from, start, bytes, worker);
    } else {
      to.write(at, from.seenBy(worker), start, bytes);
    }
    return SUCCESS;
  }

  private static boolean isPeerCopy(Block to, Block from) {
    return to.kind.isDevice() && from.kind.isDevice() && to.device != from.device;
  }

  /** Whether either side reaches the other's memory; one is enough ({@code driver-facts.md}). */
  private boolean isLinked(Block to, Block from) {
    return peering.reaches(PeerPath.deviceOf(from), to)
        || peering.reaches(PeerPath.deviceOf(to), from);
  }

  /**
   * Overlap gives no memmove: "undefined" is made visible by copying in the order in which each
   * piece has already been overwritten when it is read.
   */
  private static void copyWithin(Block block, long at, long start, long bytes, Device worker) {
    long distance = Math.abs(at - start);
    if (distance == 0) {
      return;
    }
    if (distance >= bytes) {
      block.write(at, block.seenBy(worker), start, bytes);
      return;
    }
    long pieces = (bytes + distance - 1) / distance;
    for (long i = 0; i < pieces; i++) {
      long offset = (at > start ? i : pieces - 1 - i) * distance;
      long length = Math.min(distance, bytes - offset);
      block.write(at + offset, block.seenBy(worker), start + offset, length);
    }
  }

  /** {@code cuMemsetD8Async} and its wider kin; {@code pattern} repeats every 4 bytes. */
  int fill(long pointer, int pattern, long count, int width, long streamHandle) {
    Stream stream = streams.usable(streamHandle);
    if (stream == null) {
      return streams.refusal(streamHandle);
    }
    if (count == 0) {
      return SUCCESS;
    }
    if (count < 0 || count > Long.MAX_VALUE / width || pointer % width != 0) {
      return INVALID_VALUE;
    }
    Block to = find(pointer, count * width, "write");
    if (to == null || to.kind == MemoryKind.PAGEABLE) {
      return INVALID_VALUE;
    }
    if (isLost(to)) {
      return Machine.LOST;
    }
    Device worker = stream.device();
    long at = pointer - to.address;
    if (!to.kind.isDevice() || to.device == worker) {
      to.fill(at, count * width, pattern);
    } else if (peering.reaches(worker, to)) {
      peerPath.fill(to, at, count * width, pattern, worker);
    } else {
      return INVALID_VALUE;
    }
    return SUCCESS;
  }

  /** The allocation that holds the whole range, or null. */
  private @Nullable Block find(long address, long bytes, String operation) {
    Block block = machine.memory.containing(address);
    if (block == null) {
      machine.findings.unknownAddress(address, operation);
      return null;
    }
    return block.holds(address, bytes) ? block : null;
  }

  /** Pinned memory stays where it is when the device that pinned it goes. */
  private static boolean isLost(Block block) {
    return !block.kind.isHost() && block.isLost();
  }
}
