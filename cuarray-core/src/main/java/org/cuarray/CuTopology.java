package org.cuarray;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.cuarray.copy.LinkStatus;
import org.cuarray.copy.PeerLinks;

/**
 * The peer links between the devices, as far as this process has tried them. Asking tries nothing
 * and creates no context. Thread-safe; every answer is as of its moment.
 */
public final class CuTopology {
  /** From the state that is the best news to the one that a reader most needs to see. */
  private static final ImmutableList<LinkState> FROM_GOOD_TO_BAD =
      ImmutableList.of(
          LinkState.PROVED,
          LinkState.UNTRIED,
          LinkState.SLOW,
          LinkState.OFF,
          LinkState.NOT_CAPABLE,
          LinkState.TOO_MANY_PEERS,
          LinkState.REFUSED,
          LinkState.QUARANTINED);

  private final CuRuntime runtime;
  private final PeerLinks links;
  private final PeerPolicy policy;
  private final ImmutableList<CuDevice> devices;
  private final Instant opened = Instant.now();

  CuTopology(
      CuRuntime runtime, PeerLinks links, PeerPolicy policy, ImmutableList<CuDevice> devices) {
    this.runtime = runtime;
    this.links = links;
    this.policy = policy;
    this.devices = devices;
  }

  /**
   * The link from one device to another.
   *
   * @param from the device that sends
   * @param to the device that receives
   * @return its state now
   * @throws IllegalArgumentException where both are the same device, or one is of another runtime
   */
  public PeerLink link(CuDevice from, CuDevice to) {
    requireTwoOfOurs(from, to);
    if (policy == PeerPolicy.OFF || policy == PeerPolicy.FORCE_HOST_STAGED) {
      return new PeerLink(
          from,
          to,
          LinkState.OFF,
          "peer copies are turned off by the runtime's peer policy",
          opened);
    }
    ImmutableMap<String, LinkStatus> known = links.known(from.ordinal(), to.ordinal());
    if (known.isEmpty()) {
      return new PeerLink(
          from,
          to,
          LinkState.UNTRIED,
          "the driver calls the pair capable; no copy has needed the link yet",
          opened);
    }
    LinkStatus worst =
        known.values().stream()
            .max((a, b) -> Integer.compare(badness(a), badness(b)))
            .orElseThrow();
    String reason =
        known.values().stream()
            .map(LinkStatus::reason)
            .distinct()
            .collect(Collectors.joining("; "));
    return new PeerLink(from, to, worst.state(), reason, worst.since());
  }

  private void requireTwoOfOurs(CuDevice from, CuDevice to) {
    if (runtime.requireOwn(from).ordinal() == runtime.requireOwn(to).ordinal()) {
      throw new IllegalArgumentException("a link joins two devices, and both are " + from);
    }
  }

  private static int badness(LinkStatus status) {
    return FROM_GOOD_TO_BAD.indexOf(status.state());
  }

  /**
   * All links.
   *
   * @return one per ordered pair of different devices, by source and then by destination
   */
  public List<PeerLink> links() {
    return devices.stream()
        .flatMap(from -> devices.stream().filter(to -> !to.equals(from)).map(to -> link(from, to)))
        .collect(ImmutableList.toImmutableList());
  }

  /**
   * What is known of one link by kinds of memory.
   *
   * @param from the device that sends
   * @param to the device that receives
   * @return by kinds such as {@code "pool → pool"}; what holds for all of them under {@code ""};
   *     empty where nothing was tried yet
   * @throws IllegalArgumentException where both are the same device, or one is of another runtime
   */
  public Map<String, LinkState> linkByMemory(CuDevice from, CuDevice to) {
    requireTwoOfOurs(from, to);
    return ImmutableMap.copyOf(
        com.google.common.collect.Maps.transformValues(
            links.known(from.ordinal(), to.ordinal()), LinkStatus::state));
  }
}
