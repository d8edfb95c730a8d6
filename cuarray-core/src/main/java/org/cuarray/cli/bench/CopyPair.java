package org.cuarray.cli.bench;

import static org.cuarray.DType.INT8;

import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.driver.CudaDriver;

/**
 * Two arrays to copy between, and a bare stream on the source's device. The bare copies use the
 * same memory, so that where it lies can't make a difference.
 */
final class CopyPair implements AutoCloseable {
  private static final byte SENT = 0x5A;
  private static final byte NOT_SENT = 0x25;

  private final RawDriver raw;
  private final CudaDriver driver;
  private final CuArray<Byte> source;
  private final CuArray<Byte> destination;
  private final long sourceContext;
  private final long destinationContext;
  private final long sourceAddress;
  private final long destinationAddress;
  private final long bytes;
  private final long stream;

  CopyPair(Rig rig, CuDevice from, CuDevice to, long bytes) {
    raw = rig.raw();
    driver = raw.calls();
    source = from.full(INT8, SENT, bytes);
    try {
      destination = to.zeros(INT8, bytes);
    } catch (RuntimeException e) {
      source.close();
      throw e;
    }
    sourceContext = raw.context(from.ordinal());
    destinationContext = raw.context(to.ordinal());
    sourceAddress = source.pointer();
    destinationAddress = destination.pointer();
    this.bytes = bytes;
    stream = raw.stream(from.ordinal());
    source.synchronize();
    destination.synchronize();
  }

  private CopyPair(CopyPair whole, long bytes) {
    raw = whole.raw;
    driver = whole.driver;
    source = whole.source.slice(0, bytes);
    destination = whole.destination.slice(0, bytes);
    sourceContext = whole.sourceContext;
    destinationContext = whole.destinationContext;
    sourceAddress = whole.sourceAddress;
    destinationAddress = whole.destinationAddress;
    this.bytes = bytes;
    stream = whole.stream;
  }

  /** The first bytes of both, to be used while the whole is open; not to be closed. */
  CopyPair first(long bytes) {
    return new CopyPair(this, bytes);
  }

  CuArray<Byte> source() {
    return source;
  }

  CuArray<Byte> destination() {
    return destination;
  }

  /** Submits the library's copy. */
  void copy() {
    source.copyTo(destination);
  }

  /** Waits for the library's copies. */
  void await() {
    destination.synchronize();
  }

  /** Submits the bare copy between devices. */
  int copyRaw() {
    return driver.memcpyPeerAsync(
        destinationAddress, destinationContext, sourceAddress, sourceContext, bytes, stream);
  }

  /** Submits the bare copy within a device. */
  int copyRawWithinDevice() {
    return driver.memcpyDtoDAsync(destinationAddress, sourceAddress, bytes, stream);
  }

  /** Waits for the bare copies. */
  int awaitRaw() {
    return driver.streamSynchronize(stream);
  }

  /** Makes the source's context current for bare calls. */
  void enter() {
    raw.enter(source.device().ordinal());
  }

  /** Ends a series of bare calls. */
  void leave(int statuses) {
    raw.leave();
    RawDriver.check(statuses, "a series of bare copies", source.device().ordinal());
  }

  /**
   * Copies once more and checks the first and the last byte: no figure is worth anything for copies
   * that do not arrive.
   *
   * @throws IllegalStateException where one is wrong
   */
  void requireDelivery() {
    destination.fill(NOT_SENT);
    copy();
    long last = bytes - 1;
    byte first = destination.get(0);
    byte end = destination.get(last);
    if (first != SENT || end != SENT) {
      throw new IllegalStateException(
          "the benchmark's copy from %s to %s did not arrive: byte 0 is 0x%02x and byte %d is 0x%02x, not 0x%02x"
              .formatted(source, destination, first, last, end, SENT));
    }
  }

  @Override
  public void close() {
    raw.close();
    source.close();
    destination.close();
  }
}
