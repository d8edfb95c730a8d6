package org.cuarray.copy;

import org.cuarray.driver.CudaDriver;
import org.cuarray.memory.Region;
import org.cuarray.stream.AccessMode;
import org.cuarray.stream.Operation;
import org.cuarray.stream.OrderedStream;
import org.cuarray.stream.StreamPolicy;

/** {@code cuMemcpyPeerAsync} over a proved link, pushed by the source's device. */
final class PeerCopy {
  private final StreamPolicy streams;
  private final SingleCallCopy call;

  PeerCopy(CudaDriver driver, StreamPolicy streams) {
    this.streams = streams;
    this.call =
        new SingleCallCopy(
            "cuMemcpyPeerAsync",
            Operation::enterLastInsteadOfAnotherContext,
            (source, destination, stream) ->
                driver.memcpyPeerAsync(
                    destination.address(),
                    destination.residence().context(),
                    source.address(),
                    source.residence().context(),
                    source.bytes(),
                    stream.handle()));
  }

  /** What happens in the step besides the copy. */
  interface Companion {
    /** Called with both regions locked and open, before the copy is submitted. */
    void beforeSubmission(Operation step, int read, int written);
  }

  /** False, with nothing submitted, where the route no longer stands. */
  boolean copy(
      Region source, Region destination, Route route, CopyPlanner planner, Companion companion) {
    OrderedStream stream = stream(source, destination);
    Operation step = Operation.begin();
    try {
      int read = source.touchedBy(step, AccessMode.READ);
      int written = destination.touchedBy(step, AccessMode.WRITE);
      step.lock();
      source.requireOpen();
      destination.requireOpen();
      if (!planner.isCurrent(route)) {
        return false;
      }
      companion.beforeSubmission(step, read, written);
      call.submit(step, read, written, source, destination, stream);
      return true;
    } finally {
      step.end();
    }
  }

  /** The stream that copies between two regions take. */
  OrderedStream stream(Region source, Region destination) {
    return streams.departure(source.ordinal(), destination.ordinal());
  }
}
