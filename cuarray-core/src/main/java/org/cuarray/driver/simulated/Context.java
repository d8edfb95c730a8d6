package org.cuarray.driver.simulated;

import java.util.ArrayList;
import java.util.List;

/** A context, primary or user-created. A primary one keeps its handle while it is inactive. */
final class Context {
  final Device device;
  final boolean primary;

  /** The contexts whose classic memory this one has been let into, see {@code Peering}. */
  final List<Context> peers = new ArrayList<>(0);

  /** The stream behind handle 0. */
  final Stream defaultStream = new Stream(this, 0, 0);

  /** The live streams, without the default stream. */
  final List<Stream> streams = new ArrayList<>(0);

  /** What all streams that were destroyed have been given, see {@link CheckedSchedule}. */
  final Clock destroyedStreams = new Clock();

  long handle;
  boolean alive;

  /** Of a primary context: retains less releases. */
  int retained;

  Context(Device device, boolean primary) {
    this.device = device;
    this.primary = primary;
  }
}
