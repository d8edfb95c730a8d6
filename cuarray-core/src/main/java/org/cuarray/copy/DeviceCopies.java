package org.cuarray.copy;

import org.cuarray.VerifyMode;
import org.cuarray.driver.CudaDriver;
import org.cuarray.memory.Region;
import org.cuarray.memory.RuntimeMemory;
import org.cuarray.stream.StreamPolicy;

/** Copies one region of device memory to another of the same size, the way the planner says. */
public final class DeviceCopies {
  private static final PeerCopy.Companion NO_COMPANION = (step, read, written) -> {};

  private final CopyPlanner planner;
  private final SameDeviceCopy sameDevice;
  private final PeerCopy peer;
  private final VerifiedPeerCopy verifiedPeer;
  private final HostStagedCopy hostStaged;
  private final VerifyMode verification;

  /** The copies of one runtime. */
  public DeviceCopies(
      CudaDriver driver,
      CopyPlanner planner,
      StreamPolicy streams,
      RuntimeMemory memory,
      VerifyMode verification) {
    this.planner = planner;
    this.verification = verification;
    this.hostStaged = new HostStagedCopy(driver, streams, memory.staging());
    this.sameDevice = new SameDeviceCopy(driver, streams, memory, hostStaged);
    this.peer = new PeerCopy(driver, streams);
    this.verifiedPeer =
        new VerifiedPeerCopy(planner.links(), peer, hostStaged, new HeldReader(driver));
  }

  /**
   * Copies, in order with everything else on both regions.
   *
   * @param source of the same size as the destination
   * @param destination may overlap the source; the result is that of memmove
   */
  public void copy(Region source, Region destination) {
    source.requireOpen();
    destination.requireOpen();
    if (source.bytes() == 0 || source.address() == destination.address()) {
      return;
    }
    while (!tryCopy(source, destination)) {
      Thread.onSpinWait();
    }
  }

  /** False where a link changed between the decision and the submission. */
  private boolean tryCopy(Region source, Region destination) {
    Route route = planner.route(source.residence(), destination.residence());
    return switch (route.strategy()) {
      case SAME_DEVICE -> sameDevice.copy(source, destination);
      case HOST_STAGED -> hostStaged.copy(source, destination);
      case PEER ->
          verification == VerifyMode.EVERY_COPY
              ? verifiedPeer.copy(source, destination, route, planner)
              : peer.copy(source, destination, route, planner, NO_COMPANION);
    };
  }

  static boolean overlap(Region source, Region destination) {
    return source.address() < destination.address() + destination.bytes()
        && destination.address() < source.address() + source.bytes();
  }
}
