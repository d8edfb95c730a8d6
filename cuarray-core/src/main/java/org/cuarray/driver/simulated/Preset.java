package org.cuarray.driver.simulated;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The machines that can be simulated: first the honest ones, then the liars, whose peer links
 * report success and do something else. All liars are wired like {@link #NVLINK}.
 */
public enum Preset {
  /** Four GPUs, each of which reaches each other. */
  NVLINK(4),

  /** Four GPUs that reach no other. */
  PCIE(4),

  /** Four GPUs, two linked pairs: 0 with 1, 2 with 3. */
  MIXED(4),

  /** Two GPUs; a lower ordinal reaches a higher one, not the other way round. */
  ONE_WAY(2),

  /** Sixteen GPUs that all could reach each other, eight at a time. */
  SIXTEEN(16),

  /** Four linked GPUs without the stream-ordered allocator. */
  NO_POOLS(4),

  /** Four slices of a GPU (MIG), which reach no other. */
  MIG(4),

  /** Writes over an enabled peer link vanish, as behind an IOMMU that translates them away. */
  BROKEN_IOMMU(4),

  /** Writes over a peer link are seen by the device that wrote them and never by the owner. */
  MIRROR(4),

  /**
   * Writes into a pool vanish once its access is granted to the writer; classic memory is right
   * (CUDA.jl #3112).
   */
  POOL_GRANT_LOSES_WRITES(4),

  /** Peer copies of 16 MiB or more vanish. */
  LOSES_LARGE(4),

  /** Memory mapped after its link was opened is not written over it. */
  BREAKS_AFTER_GROWTH(4),

  /** A link is right for its first copies, then flips a bit of each. */
  FLIPS_LATER(4);

  private static final int SIXTEEN_PEERS = 8;
  private static final long H200_MEMORY = 139L << 30;
  private static final long MIG_MEMORY = 16L << 30;

  private final int devices;

  Preset(int devices) {
    this.devices = devices;
  }

  /**
   * The preset of a name.
   *
   * @param name as {@link #presetName} gives it, such as {@code broken-iommu}
   * @return the preset
   * @throws IllegalArgumentException for any other name; its message lists them all
   */
  public static Preset named(String name) {
    for (Preset preset : values()) {
      if (preset.presetName().equals(name)) {
        return preset;
      }
    }
    throw new IllegalArgumentException(
        "no simulated machine is named \""
            + name
            + "\"; there are "
            + Arrays.stream(values()).map(Preset::presetName).collect(Collectors.joining(", ")));
  }

  /**
   * The name by which {@code CUARRAY_DRIVER=simulated:NAME} asks for it.
   *
   * @return lower case, words joined by hyphens
   */
  public String presetName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  int devices() {
    return devices;
  }

  /** The driver's word that one device can reach another's memory. */
  boolean canReach(int from, int to) {
    return from != to
        && switch (this) {
          case PCIE, MIG -> false;
          case MIXED -> from / 2 == to / 2;
          case ONE_WAY -> from < to;
          default -> true;
        };
  }

  int peerLimit() {
    return this == SIXTEEN ? SIXTEEN_PEERS : Integer.MAX_VALUE;
  }

  boolean hasPools() {
    return this != NO_POOLS;
  }

  long memoryPerDevice() {
    return this == MIG ? MIG_MEMORY : H200_MEMORY;
  }

  String deviceName(int ordinal) {
    return this == MIG
        ? "Simulated GPU " + ordinal + " MIG 1g.18gb (mig)"
        : "Simulated GPU " + ordinal + " (" + presetName() + ")";
  }
}
