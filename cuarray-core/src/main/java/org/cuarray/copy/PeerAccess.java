package org.cuarray.copy;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.DriverStatus;
import org.cuarray.registry.DeviceContexts;

/**
 * Peer access between contexts of this process: what the driver says is possible, what we enabled
 * and what others had enabled before. Thread-safe.
 */
final class PeerAccess {
  /** Whether a context may use another one's memory, and whose doing that is. */
  enum Enabling {
    /** We enabled it, and may disable it. */
    OURS,
    /** Somebody else had enabled it; we never disable it. */
    OTHERS,
    /** The driver refused. */
    REFUSED,
    /** The context has as many peers as the driver allows; that may change. */
    TOO_MANY_PEERS
  }

  private record Pair(long context, long peerContext) {}

  private final CudaDriver driver;
  private final DeviceContexts contexts;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Pair, Enabling> enabled = new HashMap<>();

  PeerAccess(CudaDriver driver) {
    this.driver = driver;
    this.contexts = DeviceContexts.of(driver);
  }

  /** The driver's word that a device can reach another one's memory. No proof. */
  boolean canAccess(int ordinal, int peer) {
    int[] can = new int[1];
    DriverStatus.check(
        driver.deviceCanAccessPeer(can, contexts.device(ordinal), contexts.device(peer)),
        "cuDeviceCanAccessPeer",
        ordinal);
    return can[0] != 0;
  }

  /** Whether we know a context to have access to another one's memory. */
  boolean isEnabled(long context, long peerContext) {
    lock.lock();
    try {
      return enabled.containsKey(new Pair(context, peerContext));
    } finally {
      lock.unlock();
    }
  }

  /** Lets a context use another one's memory, unless it may already. */
  Enabling enable(long context, long peerContext) {
    lock.lock();
    try {
      Pair pair = new Pair(context, peerContext);
      Enabling known = enabled.get(pair);
      if (known != null) {
        return known;
      }
      Enabling enabling = outcome(callEnable(context, peerContext));
      if (enabling == Enabling.OURS || enabling == Enabling.OTHERS) {
        enabled.put(pair, enabling);
      }
      return enabling;
    } finally {
      lock.unlock();
    }
  }

  private int callEnable(long context, long peerContext) {
    contexts.enter(context);
    try {
      return driver.ctxEnablePeerAccess(peerContext, 0);
    } finally {
      contexts.leave();
    }
  }

  private static Enabling outcome(int status) {
    return switch (status) {
      case CudaError.SUCCESS -> Enabling.OURS;
      case CudaError.PEER_ACCESS_ALREADY_ENABLED -> Enabling.OTHERS;
      case CudaError.TOO_MANY_PEERS -> Enabling.TOO_MANY_PEERS;
      default -> Enabling.REFUSED;
    };
  }

  /**
   * Undoes our own enabling. Transfers that use it break, so the caller knows that there are none.
   */
  void undo(long context, long peerContext) {
    lock.lock();
    try {
      Pair pair = new Pair(context, peerContext);
      if (enabled.get(pair) != Enabling.OURS) {
        return;
      }
      enabled.remove(pair);
      contexts.enter(context);
      try {
        int unused = driver.ctxDisablePeerAccess(peerContext);
      } finally {
        contexts.leave();
      }
    } finally {
      lock.unlock();
    }
  }
}
