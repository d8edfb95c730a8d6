package org.cuarray.driver.simulated;

import static org.cuarray.driver.CudaError.INVALID_CONTEXT;
import static org.cuarray.driver.CudaError.INVALID_DEVICE;
import static org.cuarray.driver.CudaError.INVALID_VALUE;
import static org.cuarray.driver.CudaError.PEER_ACCESS_ALREADY_ENABLED;
import static org.cuarray.driver.CudaError.PEER_ACCESS_NOT_ENABLED;
import static org.cuarray.driver.CudaError.PEER_ACCESS_UNSUPPORTED;
import static org.cuarray.driver.CudaError.SUCCESS;
import static org.cuarray.driver.CudaError.TOO_MANY_PEERS;

import java.util.function.Consumer;
import org.cuarray.driver.PoolAccess;
import org.jspecify.annotations.Nullable;

/**
 * Which device may reach which memory: contexts let each other into classic memory, pools let
 * devices in. Context access does not reach pool memory ({@code driver-facts.md}, speed).
 */
final class Peering {
  private final Machine machine;
  private final Contexts contexts;

  /** When each pair of devices was first opened, at [lower × devices + higher]; 0: never. */
  private long @Nullable [] openedAt;

  Peering(Machine machine, Contexts contexts) {
    this.machine = machine;
    this.contexts = contexts;
  }

  int canAccess(int[] answer, int ordinal, int peer) {
    if (machine.device(ordinal) == null || machine.device(peer) == null) {
      return INVALID_DEVICE;
    }
    answer[0] = machine.spec.preset().canReach(ordinal, peer) ? 1 : 0;
    return SUCCESS;
  }

  int enable(long peerHandle, int flags) {
    Context context = contexts.current();
    if (context == null) {
      return contexts.refusal();
    }
    if (flags != 0) {
      return INVALID_VALUE;
    }
    Context peer = contexts.live(peerHandle);
    if (peer == null) {
      return INVALID_CONTEXT;
    }
    if (peer.device.lost) {
      return Machine.LOST;
    }
    if (!canReach(context.device, peer.device)) {
      return PEER_ACCESS_UNSUPPORTED;
    }
    if (context.peers.contains(peer)) {
      return PEER_ACCESS_ALREADY_ENABLED;
    }
    if (!open(context.device, peer.device)) {
      return TOO_MANY_PEERS;
    }
    context.peers.add(peer);
    return SUCCESS;
  }

  int disable(long peerHandle) {
    Context context = contexts.current();
    if (context == null) {
      return contexts.refusal();
    }
    Context peer = contexts.live(peerHandle);
    if (peer == null) {
      return INVALID_CONTEXT;
    }
    if (!context.peers.remove(peer)) {
      return PEER_ACCESS_NOT_ENABLED;
    }
    context.device.unmap(peer.device);
    return SUCCESS;
  }

  /** Closes what a context that ended had opened, and what others had opened to it. */
  void endAllOf(Context ended) {
    for (Context peer : ended.peers) {
      ended.device.unmap(peer.device);
    }
    ended.peers.clear();
    for (int i = 0; i < machine.deviceCount(); i++) {
      Device device = machine.devices(i);
      for (Context other : device.contexts) {
        if (other.peers.remove(ended)) {
          device.unmap(ended.device);
        }
      }
    }
  }

  int setAccess(Pool pool, int ordinal, int flags) {
    Device device = machine.device(ordinal);
    boolean known =
        flags == PoolAccess.NONE || flags == PoolAccess.READ || flags == PoolAccess.READ_WRITE;
    if (!known) {
      return INVALID_VALUE;
    }
    if (device == null) {
      return INVALID_DEVICE;
    }
    if (device == pool.device) {
      return flags == PoolAccess.READ_WRITE ? SUCCESS : INVALID_DEVICE;
    }
    if (device.lost || pool.device.lost) {
      return Machine.LOST;
    }
    if (flags != PoolAccess.NONE && !canReach(device, pool.device)) {
      return INVALID_DEVICE;
    }
    return change(pool, device, flags);
  }

  private int change(Pool pool, Device device, int flags) {
    boolean had = pool.access(device) != PoolAccess.NONE;
    if (flags != PoolAccess.NONE && !had && !open(device, pool.device)) {
      return TOO_MANY_PEERS;
    }
    if (flags == PoolAccess.NONE && had) {
      device.unmap(pool.device);
    }
    pool.setAccess(device, flags);
    return SUCCESS;
  }

  /** Closes what a pool that ended had opened. */
  void endAllOf(Pool ended) {
    forEachGrant(ended, device -> device.unmap(ended.device));
  }

  /** Opens what a recycled pool handle inherited. */
  void reopenAllOf(Pool inherited) {
    forEachGrant(inherited, device -> device.map(inherited.device, machine.deviceCount()));
  }

  private void forEachGrant(Pool pool, Consumer<Device> action) {
    for (int i = 0; i < machine.deviceCount(); i++) {
      Device device = machine.devices(i);
      if (device != pool.device && pool.access(device) != PoolAccess.NONE) {
        action.accept(device);
      }
    }
  }

  /** Whether a device may reach memory that lies on a device. */
  boolean reaches(Device device, Block block) {
    if (block.device == device) {
      return true;
    }
    PoolChunk chunk = block.chunk;
    if (chunk != null) {
      return chunk.pool.access(device) != PoolAccess.NONE;
    }
    for (int i = 0; i < device.contexts.size(); i++) {
      if (device.contexts.get(i).peers.contains(block.context)) {
        return true;
      }
    }
    return false;
  }

  /** When the link between two devices was first opened; 0 where it never was. */
  long openedAt(Device one, Device other) {
    return openedAt == null ? 0 : openedAt[pair(one, other)];
  }

  private boolean open(Device device, Device peer) {
    if (!device.canMap(peer, machine.spec.peerLimit())) {
      return false;
    }
    device.map(peer, machine.deviceCount());
    if (openedAt == null) {
      openedAt = new long[machine.deviceCount() * machine.deviceCount()];
    }
    int pair = pair(device, peer);
    if (openedAt[pair] == 0) {
      openedAt[pair] = machine.tick();
    }
    return true;
  }

  private boolean canReach(Device from, Device to) {
    return machine.spec.preset().canReach(from.ordinal, to.ordinal);
  }

  private int pair(Device one, Device other) {
    return Math.min(one.ordinal, other.ordinal) * machine.deviceCount()
        + Math.max(one.ordinal, other.ordinal);
  }
}
