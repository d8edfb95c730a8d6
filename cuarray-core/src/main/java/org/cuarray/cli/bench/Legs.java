package org.cuarray.cli.bench;

import java.util.List;
import org.cuarray.driver.CudaDriver;

/**
 * The two halves of a copy through the host, each by itself, on the bare driver: from the source to
 * pinned memory, from pinned memory to the destination. Neither waits for the other, so this is
 * what the machine could give and no copy.
 */
final class Legs implements AutoCloseable {
  /** Pinning is slow, and a leg is as fast over memory that it has seen before. */
  private static final long MOST_PINNED = 64L << 20;

  private final RawDriver raw;
  private final CudaDriver driver;
  private final Pair pair;
  private final long bytes;
  private final long piece;
  private final long source;
  private final long destination;
  private final long landing;
  private final long takeoff;
  private final long downStream;
  private final long upStream;

  Legs(Rig rig, Pair pair, CopyPair memory, long bytes) {
    this.raw = rig.raw();
    this.driver = raw.calls();
    this.pair = pair;
    this.bytes = bytes;
    piece = Math.min(MOST_PINNED, bytes);
    source = memory.source().pointer();
    destination = memory.destination().pointer();
    landing = raw.pinned(pair.from(), piece);
    takeoff = raw.pinned(pair.to(), piece);
    downStream = raw.stream(pair.from());
    upStream = raw.stream(pair.to());
  }

  /** In the source's context: with another one current the driver refuses memory of a pool. */
  private int submitDown() {
    int statuses = 0;
    raw.enter(pair.from());
    for (long position = 0; position < bytes; position += piece) {
      long part = Math.min(piece, bytes - position);
      statuses |= driver.memcpyDtoHAsync(landing, source + position, part, downStream);
    }
    raw.leave();
    return statuses;
  }

  /** In the destination's context, likewise. */
  private int submitUp() {
    int statuses = 0;
    raw.enter(pair.to());
    for (long position = 0; position < bytes; position += piece) {
      long part = Math.min(piece, bytes - position);
      statuses |= driver.memcpyHtoDAsync(destination + position, takeoff, part, upStream);
    }
    raw.leave();
    return statuses;
  }

  /** Nanoseconds of the way down from the source. */
  double down() {
    long start = System.nanoTime();
    int statuses = submitDown() | driver.streamSynchronize(downStream);
    return since(start, statuses);
  }

  /** Nanoseconds of the way up to the destination. */
  double up() {
    long start = System.nanoTime();
    int statuses = submitUp() | driver.streamSynchronize(upStream);
    return since(start, statuses);
  }

  /** All legs of some copies at the same time: nanoseconds for one of the copies, its share. */
  static double allAtOnce(List<Legs> copies) {
    int statuses = 0;
    long start = System.nanoTime();
    for (Legs legs : copies) {
      statuses |= legs.submitDown() | legs.submitUp();
    }
    for (Legs legs : copies) {
      statuses |= legs.driver.streamSynchronize(legs.downStream);
      statuses |= legs.driver.streamSynchronize(legs.upStream);
    }
    return copies.get(0).since(start, statuses) / copies.size();
  }

  private double since(long start, int statuses) {
    long nanos = System.nanoTime() - start;
    RawDriver.check(statuses, "a series of cuMemcpyDtoHAsync or cuMemcpyHtoDAsync", pair.from());
    return nanos;
  }

  @Override
  public void close() {
    raw.close();
  }
}
