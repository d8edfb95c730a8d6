package org.cuarray.cli.bench;

import java.util.List;
import org.cuarray.CopyPlan;
import org.cuarray.CopyStrategy;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.PeerPolicy;
import org.cuarray.driver.CudaDriver;
import org.jspecify.annotations.Nullable;

/** The machine that is measured, and how hard. */
final class Rig implements AutoCloseable {
  private final CudaDriver driver;
  private final Effort effort;
  private final long largeBytes;
  private final List<Long> curveSizes;
  private final CuRuntime cuda;
  private @Nullable CuRuntime forced;
  private @Nullable PeerPolicy force;

  Rig(CudaDriver driver, Effort effort, long largeBytes, List<Long> curveSizes) {
    this.driver = driver;
    this.effort = effort;
    this.largeBytes = largeBytes;
    this.curveSizes = curveSizes;
    this.cuda = CuRuntime.open(driver);
  }

  /** The runtime that users get. */
  CuRuntime cuda() {
    return cuda;
  }

  CuDevice device(int ordinal) {
    return cuda.device(ordinal);
  }

  int devices() {
    return cuda.devices().size();
  }

  List<Pair> pairs() {
    return Pair.all(devices());
  }

  /**
   * A runtime that has no choice. There is one such at a time: asking for another policy closes it,
   * with the memory that its pools keep.
   */
  CuRuntime forced(PeerPolicy policy) {
    if (forced != null && force == policy) {
      return forced;
    }
    closeForced();
    CuRuntime opened = CuRuntime.builder().driver(driver).peerPolicy(policy).open();
    forced = opened;
    force = policy;
    return opened;
  }

  private void closeForced() {
    if (forced != null) {
      forced.close();
      forced = null;
    }
  }

  RawDriver raw() {
    return new RawDriver(cuda, driver);
  }

  Effort effort() {
    return effort;
  }

  /** Bytes of a copy that is large. */
  long largeBytes() {
    return largeBytes;
  }

  List<Long> curveSizes() {
    return curveSizes;
  }

  /**
   * Checks that a copy goes over the peer link.
   *
   * @throws IllegalStateException with the planner's reason where it does not
   */
  static void requirePeer(CuArray<Byte> source, CuArray<Byte> destination) {
    CopyPlan plan = source.planCopyTo(destination);
    if (plan.strategy() != CopyStrategy.PEER) {
      throw new IllegalStateException("not a peer copy: " + plan);
    }
  }

  @Override
  public void close() {
    closeForced();
    cuda.close();
  }
}
