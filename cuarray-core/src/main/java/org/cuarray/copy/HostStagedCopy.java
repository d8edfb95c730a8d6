package org.cuarray.copy;

import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.DriverStatus;
import org.cuarray.memory.Region;
import org.cuarray.memory.Staging;
import org.cuarray.memory.Staging.Use;
import org.cuarray.memory.StagingRing;
import org.cuarray.memory.StagingSlot;
import org.cuarray.stream.AccessMode;
import org.cuarray.stream.Operation;
import org.cuarray.stream.OrderedStream;
import org.cuarray.stream.StreamPolicy;

/**
 * A copy through pinned slots: device-to-host on the source's stream and host-to-device on the
 * destination's at the same time, events between them, nothing waits on the host.
 */
final class HostStagedCopy {
  private static final int HELD = -1;

  private final CudaDriver driver;
  private final StreamPolicy streams;
  private final Staging staging;

  HostStagedCopy(CudaDriver driver, StreamPolicy streams, Staging staging) {
    this.driver = driver;
    this.streams = streams;
    this.staging = staging;
  }

  /** Always true: this path needs no link. */
  boolean copy(Region source, Region destination) {
    StagingRing ring = begin(source);
    try {
      copy(source, destination, ring);
      return true;
    } finally {
      ring.end();
    }
  }

  private void copy(Region source, Region destination, StagingRing ring) {
    Operation step = Operation.begin();
    try {
      int read = source.touchedBy(step, AccessMode.READ);
      int written = destination.touchedBy(step, AccessMode.WRITE);
      step.lock();
      source.requireOpen();
      destination.requireOpen();
      pump(step, read, written, source, destination, ring);
    } finally {
      step.end();
    }
  }

  /**
   * Copies between regions that this thread holds, on which nothing is in flight; returns when the
   * bytes are there.
   */
  void copyHeld(Region source, Region destination) {
    StagingRing ring = begin(source);
    try {
      Operation step = Operation.begin();
      try {
        pump(step, HELD, HELD, source, destination, ring);
      } finally {
        step.end();
      }
    } finally {
      ring.end();
    }
    arrival(source, destination).synchronize();
  }

  private StagingRing begin(Region source) {
    return staging.begin(Use.BETWEEN_DEVICES, source.ordinal(), source.bytes());
  }

  private OrderedStream arrival(Region source, Region destination) {
    return streams.arrival(source.ordinal(), destination.ordinal());
  }

  /**
   * Submits every piece; the marks say what was submitted, also where a submission failed. Where
   * the regions overlap and the destination lies behind the source, the last piece goes first: the
   * pieces are read one after the other, and none is written before those that it covers were read.
   */
  private void pump(
      Operation step, int read, int written, Region source, Region destination, StagingRing ring) {
    OrderedStream out = streams.departure(source.ordinal(), destination.ordinal());
    OrderedStream in = arrival(source, destination);
    long piece = ring.slotBytes();
    long pieces = (source.bytes() + piece - 1) / piece;
    boolean backwards =
        DeviceCopies.overlap(source, destination) && destination.address() > source.address();
    for (long i = 0; i < pieces; i++) {
      long position = (backwards ? pieces - 1 - i : i) * piece;
      long bytes = Math.min(piece, source.bytes() - position);
      StagingSlot slot = ring.next();
      slot.begin();
      try {
        if (i == 0) {
          after(step, read);
        }
        long down = pull(step, read, source, position, bytes, slot, out);
        if (i == 0) {
          after(step, written);
        }
        push(step, written, destination, position, bytes, slot, out, down, in);
      } finally {
        slot.end();
      }
    }
  }

  private static void after(Operation step, int access) {
    if (access != HELD) {
      step.after(access);
    }
  }

  private static void mark(Operation step, int access, OrderedStream stream, long ticket) {
    if (access != HELD) {
      step.mark(access, stream, ticket);
    }
  }

  private long pull(
      Operation step,
      int read,
      Region source,
      long position,
      long bytes,
      StagingSlot slot,
      OrderedStream out) {
    slot.orderAfterLastUse(step);
    step.enter(out, source.address(), slot.address());
    int status =
        driver.memcpyDtoHAsync(slot.address(), source.address() + position, bytes, out.handle());
    long ticket = step.leave();
    slot.usedBy(out, ticket);
    mark(step, read, out, ticket);
    DriverStatus.check(status, "cuMemcpyDtoHAsync", source.ordinal(), bytes);
    return ticket;
  }

  /**
   * The slot is the subject of the submission: the next piece then records an event for this one
   * before it is submitted itself, and whoever uses the slot next waits for this piece alone. One
   * late event for all would make the two directions take turns.
   */
  private void push(
      Operation step,
      int written,
      Region destination,
      long position,
      long bytes,
      StagingSlot slot,
      OrderedStream out,
      long down,
      OrderedStream in) {
    step.after(out, down);
    step.enter(in, slot.address(), destination.address() + position);
    int status =
        driver.memcpyHtoDAsync(
            destination.address() + position, slot.address(), bytes, in.handle());
    long ticket = step.leave();
    slot.usedBy(in, ticket);
    mark(step, written, in, ticket);
    DriverStatus.check(status, "cuMemcpyHtoDAsync", destination.ordinal(), bytes);
  }
}
