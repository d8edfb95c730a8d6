package org.cuarray.copy;

import java.util.concurrent.TimeUnit;
import org.cuarray.CopyStrategy;
import org.cuarray.PeerPolicy;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.PoolAccess;
import org.cuarray.memory.Residence;
import org.cuarray.registry.DeviceContexts;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the strategy of a copy. This is the decision table, and the only place that decides; a
 * decision is made once per pair of residences and kept. Thread-safe.
 */
public final class CopyPlanner {
  /** How long a decision stands that may turn out better later. */
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final CudaDriver driver;
  private final PeerPolicy policy;
  private final PeerLinks links;
  private final RouteCache routes = new RouteCache();

  /** The planner of one runtime. */
  public CopyPlanner(CudaDriver driver, PeerPolicy policy) {
    this.driver = driver;
    this.policy = policy;
    this.links = PeerLinks.of(driver);
  }

  /**
   * The route between two residences. The first request for a peer link enables, grants and proves
   * it, which blocks for some milliseconds.
   *
   * @throws IllegalStateException where peer copies are forced and the link may not be used
   */
  public Route route(Residence source, Residence destination) {
    Route route = routes.get(source, destination);
    if (route == null || !isCurrent(route) || route.isExpired()) {
      route = decide(source, destination, links.changes());
      routes.put(source, destination, route);
    }
    return route;
  }

  /** Whether no link has changed since a route was decided. */
  boolean isCurrent(Route route) {
    return route.changes() == links.changes();
  }

  private Route decide(Residence source, Residence destination, int changes) {
    if (policy == PeerPolicy.FORCE_HOST_STAGED) {
      return staged(changes, "forced through the host by the runtime's peer policy");
    }
    if (source.ordinal() == destination.ordinal()) {
      return new Route(
          CopyStrategy.SAME_DEVICE,
          "both arrays are on cuda:" + source.ordinal(),
          changes,
          Route.NEVER);
    }
    if (policy == PeerPolicy.OFF) {
      return staged(changes, "peer copies are turned off by the runtime's peer policy");
    }
    Route route = overLink(source, destination, changes);
    if (policy == PeerPolicy.FORCE_PEER && route.strategy() != CopyStrategy.PEER) {
      throw new IllegalStateException(
          "peer copies are forced by the runtime's peer policy, but from %s to %s one can't be made: %s"
              .formatted(source, destination, route.reason()));
    }
    return route;
  }

  private Route overLink(Residence source, Residence destination, int changes) {
    String unprovable = unprovable(source, destination);
    if (unprovable != null) {
      return staged(changes, unprovable);
    }
    LinkStatus link = links.establish(source, destination);
    if (!link.isProved()) {
      return link.lasting() ? staged(changes, link.reason()) : stagedForNow(changes, link.reason());
    }
    // The proof was given on memory of its own; the pool that is meant needs its own grant.
    if (destination.ours() != null) {
      int status = destination.ours().grant(source.ordinal());
      if (status != CudaError.SUCCESS) {
        return stagedForNow(
            changes,
            "the driver refused cuda:%d access to the pool of cuda:%d: %s"
                .formatted(source.ordinal(), destination.ordinal(), CudaError.name(status)));
      }
    }
    return new Route(
        CopyStrategy.PEER,
        "peer link cuda:%d → cuda:%d, %s"
            .formatted(source.ordinal(), destination.ordinal(), link.reason()),
        changes,
        Route.NEVER);
  }

  /** Why no proof can speak for this memory; null where one can. */
  private @Nullable String unprovable(Residence source, Residence destination) {
    String reason = unprovable(source, destination.ordinal());
    return reason != null ? reason : unprovable(destination, source.ordinal());
  }

  private @Nullable String unprovable(Residence residence, int peer) {
    return switch (residence.kind()) {
      case CLASSIC, POOL -> null;
      case FOREIGN_POOL -> accessToForeignPool(residence, peer);
      case MANAGED, VIRTUAL, UNKNOWN, PINNED_HOST ->
          residence + " is staged: no proof made on other memory speaks for it";
    };
  }

  private @Nullable String accessToForeignPool(Residence residence, int peer) {
    int[] access = new int[1];
    int status =
        driver.memPoolGetAccess(access, residence.pool(), DeviceContexts.of(driver).device(peer));
    return status == CudaError.SUCCESS && access[0] == PoolAccess.READ_WRITE
        ? null
        : "%s does not let cuda:%d in, and a pool that is not ours is never reconfigured"
            .formatted(residence, peer);
  }

  private static Route staged(int changes, String reason) {
    return new Route(CopyStrategy.HOST_STAGED, reason, changes, Route.NEVER);
  }

  private static Route stagedForNow(int changes, String reason) {
    return new Route(CopyStrategy.HOST_STAGED, reason, changes, System.nanoTime() + RETRY_NANOS);
  }

  /** The links that it goes by. */
  public PeerLinks links() {
    return links;
  }
}
