package org.cuarray.driver.simulated;

import static org.cuarray.driver.CudaError.INVALID_VALUE;
import static org.cuarray.driver.CudaError.SUCCESS;

import org.jspecify.annotations.Nullable;

/**
 * Copies and fills. Each is checked in full before a byte moves, as the driver does: a refused one
 * has written nothing. How the bytes travel is decided when it is submitted.
 */
final class Copies {
  private final Machine machine;
  private final Contexts contexts;
  private final Streams streams;
  private final Peering peering;
  private final Passage within = new OverlappingPassage();
  private final Passage overPeerLink;

  Copies(Machine machine, Contexts contexts, Streams streams, Peering peering) {
    this.machine = machine;
    this.contexts = contexts;
    this.streams = streams;
    this.peering = peering;
    this.overPeerLink = Passage.overPeerLink(machine.spec, peering);
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
    return transfer(call, to, destination, from, source, bytes, stream);
  }

  int deviceToHost(long host, long source, long bytes, long streamHandle) {
    Stream stream = streams.usable(streamHandle);
    return stream == null
        ? streams.refusal(streamHandle)
        : deviceToHost(CopyCall.WITH_HOST, host, source, bytes, stream);
  }

  int hostToDevice(long destination, long host, long bytes, long streamHandle) {
    Stream stream = streams.usable(streamHandle);
    return stream == null
        ? streams.refusal(streamHandle)
        : hostToDevice(CopyCall.WITH_HOST, destination, host, bytes, stream);
  }

  int deviceToHost(long host, long source, long bytes) {
    Context context = contexts.current();
    return context == null
        ? contexts.refusal()
        : deviceToHost(CopyCall.WITH_HOST_AND_WAIT, host, source, bytes, context.defaultStream);
  }

  int hostToDevice(long destination, long host, long bytes) {
    Context context = contexts.current();
    return context == null
        ? contexts.refusal()
        : hostToDevice(
            CopyCall.WITH_HOST_AND_WAIT, destination, host, bytes, context.defaultStream);
  }

  private int deviceToHost(CopyCall call, long host, long source, long bytes, Stream stream) {
    if (bytes == 0) {
      return SUCCESS;
    }
    Block to = find(host, bytes, "write");
    Block from = find(source, bytes, "read");
    if (to == null || from == null || !to.kind.isHost() || from.kind == MemoryKind.PAGEABLE) {
      return INVALID_VALUE;
    }
    return transfer(call, to, host, from, source, bytes, stream);
  }

  private int hostToDevice(CopyCall call, long destination, long host, long bytes, Stream stream) {
    if (bytes == 0) {
      return SUCCESS;
    }
    Block to = find(destination, bytes, "write");
    Block from = find(host, bytes, "read");
    if (to == null || from == null || !from.kind.isHost() || to.kind == MemoryKind.PAGEABLE) {
      return INVALID_VALUE;
    }
    Context current = contexts.current();
    if (to.chunk != null && current != null && !peering.reaches(current.device, to)) {
      // Whatever the stream's device reaches ({@code driver-facts.md}).
      return INVALID_VALUE;
    }
    return transfer(call, to, destination, from, host, bytes, stream);
  }

  private int transfer(
      CopyCall call,
      Block to,
      long destination,
      Block from,
      long source,
      long bytes,
      Stream stream) {
    if (isLost(to) || isLost(from)) {
      return Machine.LOST;
    }
    Passage passage = Passage.DIRECT;
    if (to == from) {
      passage = within;
    } else if (isPeerCopy(to, from)) {
      if (!call.mayStageInto(to) && !peering.reaches(stream.device(), to)) {
        return INVALID_VALUE;
      }
      if (isLinked(to, from)) {
        passage = overPeerLink;
      }
    }
    machine.schedule.copy(
        stream,
        passage,
        to,
        destination - to.address,
        from,
        source - from.address,
        bytes,
        call.blocking(to, from));
    return SUCCESS;
  }

  private static boolean isPeerCopy(Block to, Block from) {
    return to.kind.isDevice() && from.kind.isDevice() && to.device != from.device;
  }

  /** Whether either side reaches the other's memory; one is enough ({@code driver-facts.md}). */
  private boolean isLinked(Block to, Block from) {
    return peering.reaches(Passage.deviceOf(from), to)
        || peering.reaches(Passage.deviceOf(to), from);
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
    Passage passage = Passage.DIRECT;
    if (to.kind.isDevice() && to.device != stream.device()) {
      if (!peering.reaches(stream.device(), to)) {
        return INVALID_VALUE;
      }
      passage = overPeerLink;
    }
    machine.schedule.fill(stream, passage, to, pointer - to.address, count * width, pattern);
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
