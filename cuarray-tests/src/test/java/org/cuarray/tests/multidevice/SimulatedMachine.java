package org.cuarray.tests.multidevice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.cuarray.AllocatorKind;
import org.cuarray.CuDevice;
import org.cuarray.CuTopology;
import org.cuarray.PeerPolicy;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;

/**
 * A simulated machine and what is known of its links beforehand, said here in words of its own, not
 * taken from the simulator.
 */
final class SimulatedMachine implements MachineUnderTest {
  private static final long LARGE = 1L << 30;
  private static final long KEPT_WHOLE = 2 << 20;

  /** Of more devices the first one alone sends in the matrix: every link costs a proof a kind. */
  private static final int FEW = 4;

  private final Preset preset;
  private final SimulatedDriver simulated;
  private final PeerPolicy policy;
  private final long largest;

  private SimulatedMachine(
      Preset preset, SimulatedDriver simulated, PeerPolicy policy, long largest) {
    this.preset = preset;
    this.simulated = simulated;
    this.policy = policy;
    this.largest = largest;
  }

  /** One whose streams have done their work when a call returns. */
  static SimulatedMachine eager(Preset preset) {
    return new SimulatedMachine(
        preset, SimulatedDriver.of(preset, devices(preset)), PeerPolicy.AUTO, Long.MAX_VALUE);
  }

  /** One of any number of devices, all of them linked; without copies of gigabytes. */
  static SimulatedMachine linked(int devices) {
    return new SimulatedMachine(
        Preset.NVLINK, SimulatedDriver.of(Preset.NVLINK, devices), PeerPolicy.AUTO, LARGE - 1);
  }

  /** One of any number of devices whose copies all go through the host. */
  static SimulatedMachine staging(int devices) {
    return new SimulatedMachine(
        Preset.NVLINK,
        SimulatedDriver.of(Preset.NVLINK, devices),
        PeerPolicy.FORCE_HOST_STAGED,
        LARGE - 1);
  }

  /** One whose streams work late and in an odd order, which is checked; of little memory. */
  static SimulatedMachine scheduled(Preset preset, long seed) {
    SimulatedDriver.Builder machine =
        SimulatedDriver.builder().preset(preset).devices(devices(preset)).seed(seed);
    return new SimulatedMachine(
        preset, machine.withoutPlaces().build(), PeerPolicy.AUTO, LARGE - 1);
  }

  /** Proving a link costs a quarter of a second here, so the liars have as few as will do. */
  private static int devices(Preset preset) {
    return switch (preset) {
      case NVLINK -> 3;
      case PCIE, MIXED, NO_POOLS, MIG -> 4;
      case ONE_WAY -> 2;
      case SIXTEEN -> 16;
      case BROKEN_IOMMU,
          MIRROR,
          POOL_GRANT_LOSES_WRITES,
          LOSES_LARGE,
          BREAKS_AFTER_GROWTH,
          FLIPS_LATER ->
          2;
    };
  }

  @Override
  public CudaDriver driver() {
    return simulated;
  }

  @Override
  public PeerPolicy policy() {
    return policy;
  }

  @Override
  public void check() {
    assertThat(simulated.findings()).isEqualTo(List.of());
  }

  @Override
  public boolean carries(
      CuTopology topology, DevicePair pair, AllocatorKind source, AllocatorKind destination) {
    int from = pair.from().ordinal();
    int to = pair.to().ordinal();
    return switch (preset) {
      case NVLINK, NO_POOLS -> true;
      case MIXED -> from / 2 == to / 2;
      // Device 0 uses its eight slots for the first eight that it copies to.
      case SIXTEEN -> from != 0 || to <= 8;
      case POOL_GRANT_LOSES_WRITES -> destination == AllocatorKind.CLASSIC;
      case PCIE, ONE_WAY, MIG, BROKEN_IOMMU, MIRROR, LOSES_LARGE, BREAKS_AFTER_GROWTH -> false;
      case FLIPS_LATER -> throw new IllegalArgumentException("see FlippingLinkTest");
    };
  }

  @Override
  public List<DevicePair> pairs(List<CuDevice> devices, long bytes) {
    List<DevicePair> all =
        DevicePair.all(devices).stream()
            .filter(pair -> devices.size() <= FEW || pair.from().ordinal() == 0)
            .toList();
    if (bytes > largest) {
      return List.of();
    }
    if (bytes < LARGE) {
      return all;
    }
    return all.stream().filter(pair -> isTriedWithLarge(pair, bytes)).toList();
  }

  private boolean isTriedWithLarge(DevicePair pair, long bytes) {
    boolean firstTwo = pair.from().ordinal() == 0 && pair.to().ordinal() <= 1;
    return switch (preset) {
      case NVLINK -> firstTwo;
      case PCIE -> firstTwo && pair.crosses();
      case SIXTEEN, MIXED, NO_POOLS, MIG, ONE_WAY, FLIPS_LATER -> false;
      default -> firstTwo && pair.crosses() && bytes == LARGE;
    };
  }

  @Override
  public boolean tries(AllocatorKind source, AllocatorKind destination, long bytes) {
    return bytes <= LARGE || source == destination;
  }

  /** Sixteen would be 240 proofs. */
  @Override
  public List<CuDevice> inPatterns(List<CuDevice> devices) {
    return preset == Preset.SIXTEEN ? devices.subList(0, 2) : devices;
  }

  @Override
  public int rounds(int wanted) {
    return Math.max(3, wanted / 200);
  }

  @Override
  public Contents contents(long bytes, long seed) {
    return bytes > KEPT_WHOLE ? new MarkedFill(bytes, seed) : Contents.random(bytes, seed);
  }
}
