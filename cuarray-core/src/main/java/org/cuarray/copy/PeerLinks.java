package org.cuarray.copy;

import com.google.common.collect.HashBasedTable;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Table;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.cuarray.CuException;
import org.cuarray.LinkState;
import org.cuarray.driver.CudaDriver;
import org.cuarray.memory.Residence;
import org.jspecify.annotations.Nullable;

/**
 * The peer links of the process: capability, access, proof and quarantine, per ordered pair of
 * devices and kinds of memory. Thread-safe.
 *
 * <p>A link is proved when the first copy wants it. That blocks for some milliseconds, and other
 * copies that want a link of the same pair wait for it; copies over proved links do not.
 */
public final class PeerLinks {
  private static final System.Logger LOG = System.getLogger("org.cuarray");

  /** All that is known of one ordered pair of devices. */
  private static final class Pair {
    final ReentrantLock lock = new ReentrantLock();
    final Map<LinkKey, LinkStatus> links = new LinkedHashMap<>();
    @Nullable LinkStatus incapable;
  }

  private final CudaDriver driver;
  private final PeerAccess access;
  private final ReentrantLock lock = new ReentrantLock();
  private final Table<Integer, Integer, Pair> pairs = HashBasedTable.create();
  private final AtomicInteger changes = new AtomicInteger();

  private PeerLinks(CudaDriver driver) {
    this.driver = driver;
    this.access = new PeerAccess(driver);
  }

  /** Those of the process that uses this driver. */
  public static PeerLinks of(CudaDriver driver) {
    return driver.process().get(PeerLinks.class, () -> new PeerLinks(driver));
  }

  /** Grows whenever a link that was trusted no longer is; routes decided before are void then. */
  int changes() {
    return changes.get();
  }

  private Pair pair(int source, int destination) {
    lock.lock();
    try {
      Pair pair = pairs.get(source, destination);
      if (pair == null) {
        pair = new Pair();
        pairs.put(source, destination, pair);
      }
      return pair;
    } finally {
      lock.unlock();
    }
  }

  /** The link between two residences on different devices, proved if that has to be done first. */
  LinkStatus establish(Residence source, Residence destination) {
    LinkKey key = LinkKey.of(source, destination);
    Pair pair = pair(key.source(), key.destination());
    pair.lock.lock();
    try {
      LinkStatus incapable = incapable(pair, key.source(), key.destination());
      if (incapable != null) {
        return incapable;
      }
      LinkStatus known = pair.links.get(key);
      if (known != null && known.lasting()) {
        return known;
      }
      LinkStatus found = prove(key);
      remember(pair, key, found);
      return found;
    } finally {
      pair.lock.unlock();
    }
  }

  private @Nullable LinkStatus incapable(Pair pair, int source, int destination) {
    if (pair.incapable == null) {
      boolean there = access.canAccess(source, destination);
      boolean back = access.canAccess(destination, source);
      if (there && back) {
        return null;
      }
      pair.incapable =
          LinkStatus.lasting(
              LinkState.NOT_CAPABLE,
              there || back
                  ? "the driver reports one-way access only: cuda:%d reaches cuda:%d, not the other way round"
                      .formatted(there ? source : destination, there ? destination : source)
                  : "the driver reports that cuda:%d can't access cuda:%d"
                      .formatted(source, destination));
    }
    return pair.incapable;
  }

  private LinkStatus prove(LinkKey key) {
    boolean existed = access.isEnabled(key.sourceContext(), key.destinationContext());
    // Access in either direction gives full speed in both, so only a pair without any can tell what
    // the driver's own staging gives.
    boolean speedKnown = existed || access.isEnabled(key.destinationContext(), key.sourceContext());
    LinkStatus status;
    try {
      status = LinkProof.run(driver, key, new LinkProof.Access(speedKnown, () -> enable(key)));
    } catch (CuException | IllegalStateException e) {
      status =
          LinkStatus.forNow(
              LinkState.UNTRIED,
              "the link could not be tried (%s): %s".formatted(key.kinds(), e.getMessage()));
    }
    if (!status.isProved() && !existed) {
      access.undo(key.sourceContext(), key.destinationContext());
    }
    return status;
  }

  private @Nullable LinkStatus enable(LinkKey key) {
    return switch (access.enable(key.sourceContext(), key.destinationContext())) {
      case OURS, OTHERS -> null;
      case TOO_MANY_PEERS ->
          LinkStatus.forNow(
              LinkState.TOO_MANY_PEERS,
              "cuda:%d has as many peers as the driver allows; cuda:%d is one too many"
                  .formatted(key.source(), key.destination()));
      case REFUSED ->
          LinkStatus.lasting(
              LinkState.REFUSED,
              "the driver calls cuda:%d → cuda:%d capable, yet refused to enable peer access"
                  .formatted(key.source(), key.destination()));
    };
  }

  /** Warns of the first fault of a pair; its other kinds of memory usually share it. */
  private static void remember(Pair pair, LinkKey key, LinkStatus status) {
    if (status.state() == LinkState.QUARANTINED
        && pair.links.values().stream().noneMatch(s -> s.state() == LinkState.QUARANTINED)) {
      warn(key, status);
    }
    pair.links.put(key, status);
  }

  private static void warn(LinkKey key, LinkStatus status) {
    LOG.log(
        System.Logger.Level.WARNING,
        "peer link cuda:{0} → cuda:{1} is not used: {2}. Copies go through the host. Look at IOMMU"
            + " and ACS settings, and at the driver''s version",
        key.source(),
        key.destination(),
        status.reason());
  }

  /** Takes a link out of use that was found to deliver wrong bytes after it had proved itself. */
  void quarantine(Residence source, Residence destination, String reason) {
    LinkKey key = LinkKey.of(source, destination);
    Pair pair = pair(key.source(), key.destination());
    pair.lock.lock();
    try {
      LinkStatus status = LinkStatus.lasting(LinkState.QUARANTINED, reason);
      remember(pair, key, status);
      changes.incrementAndGet();
    } finally {
      pair.lock.unlock();
    }
  }

  /**
   * What is known of a pair of different devices, without trying anything.
   *
   * @return what applies to the whole pair under an empty name, or by kinds of memory
   */
  public ImmutableMap<String, LinkStatus> known(int source, int destination) {
    Pair pair = pair(source, destination);
    pair.lock.lock();
    try {
      LinkStatus incapable = incapable(pair, source, destination);
      if (incapable != null) {
        return ImmutableMap.of("", incapable);
      }
      ImmutableMap.Builder<String, LinkStatus> known = ImmutableMap.builder();
      pair.links.forEach((key, status) -> known.put(key.kinds(), status));
      return known.buildKeepingLast();
    } finally {
      pair.lock.unlock();
    }
  }
}
