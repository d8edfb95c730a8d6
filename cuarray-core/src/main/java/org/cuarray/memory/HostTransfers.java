package org.cuarray.memory;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.DriverStatus;
import org.cuarray.memory.Staging.Use;
import org.cuarray.stream.AccessMode;
import org.cuarray.stream.Hold;
import org.cuarray.stream.Operation;
import org.cuarray.stream.OrderedStream;
import org.cuarray.stream.StreamPolicy;
import org.cuarray.stream.StreamPolicy.Lane;

/**
 * Moves bytes between Java's own memory and a region, through pinned slots.
 *
 * <p>An upload has taken the caller's bytes when it returns, the transfer itself goes on behind it;
 * a download returns when the bytes are there. What fits one slot is one step. What does not is
 * moved slot by slot while the region is held, so that no other operation sees it half done.
 */
public final class HostTransfers {
  /** Where an upload's bytes come from. */
  @FunctionalInterface
  public interface Source {
    /**
     * Fills a buffer.
     *
     * @param position of its first byte in the whole transfer
     * @param into native order; all that remains is to be filled
     */
    void read(long position, ByteBuffer into);
  }

  /** Where a download's bytes go. */
  @FunctionalInterface
  public interface Sink {
    /**
     * Takes what is in a buffer.
     *
     * @param position of its first byte in the whole transfer
     * @param from native order; all that remains is to be taken
     */
    void write(long position, ByteBuffer from);
  }

  private final CudaDriver driver;
  private final StreamPolicy streams;
  private final Staging staging;
  private final PieceCrew crew;

  /** The transfers of one runtime. */
  public HostTransfers(CudaDriver driver, StreamPolicy streams, Staging staging) {
    this.driver = driver;
    this.streams = streams;
    this.staging = staging;
    this.crew = new PieceCrew(threads());
  }

  private static int threads() {
    int processors = Runtime.getRuntime().availableProcessors();
    return Integer.getInteger("cuarray.transferThreads", Math.max(1, Math.min(8, processors / 2)));
  }

  // ---- upload ----------------------------------------------------------------------------------

  /** Fills a region; returns when the source has been read. */
  public void upload(Source source, Region region) {
    if (region.bytes() == 0) {
      region.requireOpen();
      return;
    }
    StagingRing ring = staging.begin(Use.UPLOAD, region.ordinal(), region.bytes());
    try {
      OrderedStream stream = streams.lane(region.ordinal(), Lane.UPLOAD);
      if (region.bytes() <= ring.slotBytes()) {
        uploadAtOnce(source, region, ring, stream);
      } else {
        uploadInPieces(source, region, ring, stream);
      }
    } finally {
      ring.end();
    }
  }

  private void uploadAtOnce(Source source, Region region, StagingRing ring, OrderedStream stream) {
    while (!tryUploadAtOnce(source, region, ring, stream)) {
      awaitHolder(region, AccessMode.WRITE);
    }
  }

  /** False, with nothing submitted, where another thread holds the region: it may need the slot. */
  private boolean tryUploadAtOnce(
      Source source, Region region, StagingRing ring, OrderedStream stream) {
    StagingSlot slot = ring.take();
    try {
      slot.awaitLastUse();
      source.read(0, slot.buffer((int) region.bytes()));
      Operation step = Operation.begin();
      try {
        int target = region.touchedBy(step, AccessMode.WRITE);
        if (!step.tryLock()) {
          return false;
        }
        region.requireOpen();
        step.after(target);
        step.enterLast(stream, region.address(), slot.address());
        int status =
            driver.memcpyHtoDAsync(
                region.address(), slot.address(), region.bytes(), stream.handle());
        long ticket = step.leave();
        slot.usedBy(stream, ticket);
        DriverStatus.check(status, "cuMemcpyHtoDAsync", region.ordinal(), region.bytes());
        return true;
      } finally {
        step.end();
      }
    } finally {
      ring.giveBack(slot);
    }
  }

  /** Waits until nobody holds a region, with nothing in hand that a holder could need. */
  private static void awaitHolder(Region region, AccessMode mode) {
    Operation step = Operation.begin();
    try {
      region.touchedBy(step, mode);
      step.lock();
    } finally {
      step.end();
    }
  }

  private void uploadInPieces(
      Source source, Region region, StagingRing ring, OrderedStream stream) {
    Hold hold = hold(region, AccessMode.WRITE, stream, "an upload to ");
    AtomicLong last = new AtomicLong();
    try {
      crew.run(
          pieces(region, ring),
          piece -> {
            long position = piece * ring.slotBytes();
            int bytes = (int) Math.min(ring.slotBytes(), region.bytes() - position);
            StagingSlot slot = ring.take();
            try {
              slot.awaitLastUse();
              source.read(position, slot.buffer(bytes));
              submitUpload(region, position, bytes, slot, stream, last);
            } finally {
              ring.giveBack(slot);
            }
          });
    } finally {
      hold.release(stream, last.get());
    }
  }

  private static long pieces(Region region, StagingRing ring) {
    return (region.bytes() + ring.slotBytes() - 1) / ring.slotBytes();
  }

  private void submitUpload(
      Region region,
      long position,
      int bytes,
      StagingSlot slot,
      OrderedStream stream,
      AtomicLong last) {
    Operation step = Operation.begin();
    try {
      long address = region.address() + position;
      step.enter(stream, address, slot.address());
      int status = driver.memcpyHtoDAsync(address, slot.address(), bytes, stream.handle());
      long ticket = step.leave();
      slot.usedBy(stream, ticket);
      last.accumulateAndGet(ticket, Math::max);
      DriverStatus.check(status, "cuMemcpyHtoDAsync", region.ordinal(), bytes);
    } finally {
      step.end();
    }
  }

  /** Keeps the region to this thread, and makes the stream wait for what came before on it. */
  private Hold hold(Region region, AccessMode mode, OrderedStream stream, String purpose) {
    Operation step = Operation.begin();
    try {
      int access = region.touchedBy(step, mode);
      step.lock();
      region.requireOpen();
      step.after(access);
      step.enter(stream, region.address(), 0);
      return step.hold(access, purpose + region);
    } finally {
      step.end();
    }
  }

  // ---- download --------------------------------------------------------------------------------

  /** Reads a region; returns when the sink has everything. */
  public void download(Region region, Sink sink) {
    if (region.bytes() == 0) {
      region.requireOpen();
      return;
    }
    StagingRing ring = staging.begin(Use.DOWNLOAD, region.ordinal(), region.bytes());
    try {
      OrderedStream stream = streams.lane(region.ordinal(), Lane.DOWNLOAD);
      if (region.bytes() <= ring.slotBytes()) {
        downloadAtOnce(region, sink, ring, stream);
      } else {
        downloadInPieces(region, sink, ring, stream);
      }
    } finally {
      ring.end();
    }
  }

  private void downloadAtOnce(Region region, Sink sink, StagingRing ring, OrderedStream stream) {
    while (!tryDownloadAtOnce(region, sink, ring, stream)) {
      awaitHolder(region, AccessMode.READ);
    }
  }

  /** False, with nothing submitted, where another thread holds the region: it may need the slot. */
  private boolean tryDownloadAtOnce(
      Region region, Sink sink, StagingRing ring, OrderedStream stream) {
    StagingSlot slot = ring.take();
    try {
      long ticket;
      Operation step = Operation.begin();
      try {
        int source = region.touchedBy(step, AccessMode.READ);
        if (!step.tryLock()) {
          return false;
        }
        region.requireOpen();
        step.after(source);
        slot.orderAfterLastUse(step);
        step.enterLast(stream, region.address(), slot.address());
        int status =
            driver.memcpyDtoHAsync(
                slot.address(), region.address(), region.bytes(), stream.handle());
        ticket = step.leave();
        slot.usedBy(stream, ticket);
        DriverStatus.check(status, "cuMemcpyDtoHAsync", region.ordinal(), region.bytes());
      } finally {
        step.end();
      }
      stream.hostWait(ticket);
      sink.write(0, slot.buffer((int) region.bytes()));
      return true;
    } finally {
      ring.giveBack(slot);
    }
  }

  private void downloadInPieces(Region region, Sink sink, StagingRing ring, OrderedStream stream) {
    Hold hold = hold(region, AccessMode.READ, stream, "a download of ");
    AtomicLong last = new AtomicLong();
    try {
      crew.run(
          pieces(region, ring),
          piece -> {
            long position = piece * ring.slotBytes();
            int bytes = (int) Math.min(ring.slotBytes(), region.bytes() - position);
            StagingSlot slot = ring.take();
            try {
              long ticket = submitDownload(region, position, bytes, slot, stream, last);
              stream.hostWait(ticket);
              sink.write(position, slot.buffer(bytes));
            } finally {
              ring.giveBack(slot);
            }
          });
    } finally {
      hold.release(stream, last.get());
    }
  }

  private long submitDownload(
      Region region,
      long position,
      int bytes,
      StagingSlot slot,
      OrderedStream stream,
      AtomicLong last) {
    Operation step = Operation.begin();
    try {
      long address = region.address() + position;
      slot.orderAfterLastUse(step);
      step.enter(stream, address, slot.address());
      int status = driver.memcpyDtoHAsync(slot.address(), address, bytes, stream.handle());
      long ticket = step.leave();
      slot.usedBy(stream, ticket);
      last.accumulateAndGet(ticket, Math::max);
      DriverStatus.check(status, "cuMemcpyDtoHAsync", region.ordinal(), bytes);
      return ticket;
    } finally {
      step.end();
    }
  }
}
