package org.cuarray.cli.bench;

import static org.cuarray.DType.INT8;

import org.cuarray.CuArray;
import org.cuarray.driver.CudaDriver;

/**
 * A small array on each of two devices, and what the same copies between them need on the bare
 * driver: the same memory and contexts, a stream and an event on each side.
 */
final class SmallPair implements AutoCloseable {
  static final int BYTES = 4096;

  private final CuArray<Byte> here;
  private final CuArray<Byte> there;
  private final RawDriver raw;
  private final CudaDriver driver;
  private final Pair pair;
  private final long hereAddress;
  private final long thereAddress;
  private final long hereContext;
  private final long thereContext;
  private final long hereStream;
  private final long thereStream;
  private final long hereEvent;
  private final long thereEvent;

  /**
   * Makes all of it.
   *
   * @throws IllegalStateException where a copy between the arrays would not go over the peer link
   */
  SmallPair(Rig rig, Pair pair) {
    this.pair = pair;
    this.raw = rig.raw();
    this.driver = raw.calls();
    here = rig.device(pair.from()).zeros(INT8, BYTES);
    there = rig.device(pair.to()).zeros(INT8, BYTES);
    try {
      Rig.requirePeer(here, there);
      Rig.requirePeer(there, here);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
    hereAddress = here.pointer();
    thereAddress = there.pointer();
    hereContext = raw.context(pair.from());
    thereContext = raw.context(pair.to());
    hereStream = raw.stream(pair.from());
    thereStream = raw.stream(pair.to());
    hereEvent = raw.event(pair.from());
    thereEvent = raw.event(pair.to());
    here.synchronize();
    there.synchronize();
  }

  CuArray<Byte> here() {
    return here;
  }

  CuArray<Byte> there() {
    return there;
  }

  /** The bare copy from here to there, on this side's stream. */
  int copyThere() {
    return driver.memcpyPeerAsync(
        thereAddress, thereContext, hereAddress, hereContext, BYTES, hereStream);
  }

  /** The bare copy back, on the other side's stream. */
  int copyBack() {
    return driver.memcpyPeerAsync(
        hereAddress, hereContext, thereAddress, thereContext, BYTES, thereStream);
  }

  /** The other side's stream goes on after all that this side's has been given. */
  int letThereWait() {
    return driver.eventRecord(hereEvent, hereStream)
        | driver.streamWaitEvent(thereStream, hereEvent, 0);
  }

  /** This side's stream goes on after all that the other side's has been given. */
  int letHereWait() {
    return driver.eventRecord(thereEvent, thereStream)
        | driver.streamWaitEvent(hereStream, thereEvent, 0);
  }

  /** Blocks until this side's stream is done. */
  int awaitHere() {
    return driver.streamSynchronize(hereStream);
  }

  /** Makes this side's context current, as a program on the bare driver has it. */
  void enter() {
    raw.enter(pair.from());
  }

  /** Ends a series of bare calls, without waiting for what they submitted. */
  void leave(int statuses) {
    raw.leave();
    RawDriver.check(statuses, "a series of cuMemcpyPeerAsync", pair.from());
  }

  /** Waits for both streams. */
  void synchronizeRaw() {
    raw.synchronize(hereStream, pair.from());
    raw.synchronize(thereStream, pair.to());
  }

  @Override
  public void close() {
    raw.close();
    here.close();
    there.close();
  }
}
