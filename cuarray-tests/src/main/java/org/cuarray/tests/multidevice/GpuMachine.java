package org.cuarray.tests.multidevice;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.cuarray.AllocatorKind;
import org.cuarray.CuDevice;
import org.cuarray.CuTopology;
import org.cuarray.LinkState;
import org.cuarray.PeerPolicy;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.javacpp.JavaCppDriver;

/**
 * This machine's GPUs, whatever is plugged in.
 *
 * @param driver the real one
 * @param policy how patterns of many copies go
 */
record GpuMachine(CudaDriver driver, PeerPolicy policy) implements MachineUnderTest {
  /** Room for a source, a destination and what their pools keep. */
  private static final int COPIES_THAT_FIT = 6;

  private static final long KEPT_ON_THE_HOST = 2 << 20;

  /** The driver calls the pair capable, and yet a copy rightly goes through the host. */
  private static final Set<LinkState> GOOD_REASONS =
      EnumSet.of(LinkState.QUARANTINED, LinkState.REFUSED, LinkState.TOO_MANY_PEERS);

  @Override
  public boolean carries(
      CuTopology topology, DevicePair pair, AllocatorKind source, AllocatorKind destination) {
    boolean capable = pair.from().canAccessPeer(pair.to()) && pair.to().canAccessPeer(pair.from());
    LinkState state =
        topology.linkByMemory(pair.from(), pair.to()).get(word(source) + " → " + word(destination));
    return capable && !GOOD_REASONS.contains(state);
  }

  private static String word(AllocatorKind kind) {
    return kind == AllocatorKind.CLASSIC ? "classic" : "pool";
  }

  @Override
  public List<DevicePair> pairs(List<CuDevice> devices, long bytes) {
    return DevicePair.all(devices).stream()
        .filter(pair -> fits(pair.from(), bytes) && fits(pair.to(), bytes))
        .toList();
  }

  private static boolean fits(CuDevice device, long bytes) {
    return bytes <= device.totalMemory() / COPIES_THAT_FIT;
  }

  @Override
  public Contents contents(long bytes, long seed) {
    return bytes > KEPT_ON_THE_HOST ? new RepeatedBlock(bytes, seed) : Contents.random(bytes, seed);
  }

  /** Skips the test where there is no GPU, and says why. */
  static GpuMachine open(PeerPolicy policy) {
    JavaCppDriver.unavailableReason().ifPresent(reason -> assumeTrue(false, reason));
    return new GpuMachine(JavaCppDriver.instance(), policy);
  }
}
