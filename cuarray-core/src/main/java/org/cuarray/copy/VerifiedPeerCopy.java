package org.cuarray.copy;

import java.util.ArrayList;
import java.util.List;
import org.cuarray.CuException;
import org.cuarray.memory.Region;
import org.cuarray.stream.Hold;

/**
 * A peer copy that is waited for and compared, for links that have proved themselves and go bad
 * later. Both regions are held until their bytes are known to be right, so nobody reads wrong ones.
 */
final class VerifiedPeerCopy {
  private final PeerLinks links;
  private final PeerCopy peer;
  private final HostStagedCopy hostStaged;
  private final HeldReader reader;

  VerifiedPeerCopy(PeerLinks links, PeerCopy peer, HostStagedCopy hostStaged, HeldReader reader) {
    this.links = links;
    this.peer = peer;
    this.hostStaged = hostStaged;
    this.reader = reader;
  }

  /** False, with nothing submitted, where the route no longer stands. */
  boolean copy(Region source, Region destination, Route route, CopyPlanner planner) {
    List<Hold> holds = new ArrayList<>();
    try {
      String purpose = "the verified copy of %s to %s".formatted(source, destination);
      boolean submitted =
          peer.copy(
              source,
              destination,
              route,
              planner,
              (step, read, written) -> {
                holds.add(step.hold(read, purpose));
                holds.add(step.hold(written, purpose));
              });
      if (submitted) {
        peer.stream(source, destination).synchronize();
        verify(source, destination);
      }
      return submitted;
    } finally {
      // What was submitted while the regions were held has its marks, or was waited for.
      holds.forEach(Hold::release);
    }
  }

  private void verify(Region source, Region destination) {
    long wrong = reader.mismatch(source, destination);
    if (wrong < 0) {
      return;
    }
    links.quarantine(
        source.residence(),
        destination.residence(),
        "verify mode found byte %d of %d wrong after a copy that reported success"
            .formatted(wrong, source.bytes()));
    hostStaged.copyHeld(source, destination);
    long still = reader.mismatch(source, destination);
    if (still >= 0) {
      throw new CuException(
          "byte %d of %d is wrong in %s after a copy from %s through the host as well: the memory of"
                  .formatted(still, source.bytes(), destination, source)
              + " a device or the host is faulty");
    }
  }
}
