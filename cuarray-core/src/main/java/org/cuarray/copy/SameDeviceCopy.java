package org.cuarray.copy;

import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.DriverStatus;
import org.cuarray.memory.Block;
import org.cuarray.memory.Owner;
import org.cuarray.memory.Region;
import org.cuarray.memory.RuntimeMemory;
import org.cuarray.stream.AccessMode;
import org.cuarray.stream.Operation;
import org.cuarray.stream.OrderedStream;
import org.cuarray.stream.StreamPolicy;
import org.cuarray.stream.StreamPolicy.Lane;

/**
 * {@code cuMemcpyDtoDAsync} within a device. Where the regions overlap, which the driver leaves
 * undefined, the copy goes piece by piece from the end that is safe.
 */
final class SameDeviceCopy {
  /**
   * Shifts by at least this much are copied in pieces of the shift; smaller ones through a buffer.
   */
  private static final long LEAST_DIRECT_PIECE = 4 << 20;

  private static final long BUFFER = 64 << 20;

  private final CudaDriver driver;
  private final StreamPolicy streams;
  private final RuntimeMemory memory;
  private final SingleCallCopy apart;
  private final HostStagedCopy throughHost;

  SameDeviceCopy(
      CudaDriver driver, StreamPolicy streams, RuntimeMemory memory, HostStagedCopy throughHost) {
    this.driver = driver;
    this.streams = streams;
    this.memory = memory;
    this.throughHost = throughHost;
    this.apart =
        new SingleCallCopy(
            "cuMemcpyDtoDAsync",
            (source, destination, stream) ->
                driver.memcpyDtoDAsync(
                    destination.address(), source.address(), source.bytes(), stream.handle()));
  }

  /** Always true: a copy within a device needs no link. */
  boolean copy(Region source, Region destination) {
    if (!DeviceCopies.overlap(source, destination)) {
      apart.copy(source, destination, streams.lane(source.ordinal(), Lane.COMPUTE));
    } else if (Math.abs(destination.address() - source.address()) >= LEAST_DIRECT_PIECE) {
      copyShifted(source, destination);
    } else {
      copyThroughBuffer(source, destination);
    }
    return true;
  }

  private void copyShifted(Region source, Region destination) {
    long shift = Math.abs(destination.address() - source.address());
    inPieces(
        source,
        destination,
        shift,
        (to, from, bytes, stream) -> driver.memcpyDtoDAsync(to, from, bytes, stream));
  }

  private void copyThroughBuffer(Region source, Region destination) {
    Block buffer = memory.scratch(source.ordinal(), Math.min(BUFFER, source.bytes()));
    if (buffer == null) {
      // A copy needs no memory in its caller's eyes, so it does not fail for want of it.
      throughHost.copy(source, destination);
      return;
    }
    long piece = buffer.bytes();
    try (Owner owner = Owner.of(buffer)) {
      Region bounce = new Region(owner, 0, piece, "the buffer of an overlapping copy");
      inPieces(
          source,
          destination,
          piece,
          (to, from, bytes, stream) -> {
            int status = driver.memcpyDtoDAsync(bounce.address(), from, bytes, stream);
            return status != 0
                ? status
                : driver.memcpyDtoDAsync(to, bounce.address(), bytes, stream);
          },
          bounce);
    }
  }

  /** Copies one piece; returns the driver's status. */
  @FunctionalInterface
  private interface PieceCopy {
    int copy(long to, long from, long bytes, long stream);
  }

  /**
   * All pieces in one step, on one stream: from the last to the first where the destination lies
   * behind the source, so that no piece is overwritten before it has been read.
   */
  private void inPieces(
      Region source, Region destination, long piece, PieceCopy copy, Region... buffers) {
    OrderedStream stream = streams.lane(source.ordinal(), Lane.COMPUTE);
    boolean backwards = destination.address() > source.address();
    long pieces = (source.bytes() + piece - 1) / piece;
    Operation step = Operation.begin();
    try {
      int read = source.touchedBy(step, AccessMode.READ);
      int written = destination.touchedBy(step, AccessMode.WRITE);
      int[] used = new int[buffers.length];
      for (int i = 0; i < buffers.length; i++) {
        used[i] = buffers[i].touchedBy(step, AccessMode.WRITE);
      }
      step.lock();
      source.requireOpen();
      destination.requireOpen();
      step.after(read);
      step.after(written);
      for (int buffer : used) {
        step.after(buffer);
      }
      step.enterLast(stream, source.address(), destination.address());
      int status = 0;
      for (long i = 0; i < pieces && status == 0; i++) {
        long position = (backwards ? pieces - 1 - i : i) * piece;
        long bytes = Math.min(piece, source.bytes() - position);
        status =
            copy.copy(
                destination.address() + position,
                source.address() + position,
                bytes,
                stream.handle());
      }
      step.leave();
      DriverStatus.check(status, "cuMemcpyDtoDAsync", source.ordinal(), source.bytes());
    } finally {
      step.end();
    }
  }
}
