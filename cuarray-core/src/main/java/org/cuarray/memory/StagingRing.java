package org.cuarray.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.cuarray.driver.CudaDriver;

/**
 * A bounded number of equal staging slots, made when first needed, used in turn. Thread-safe.
 *
 * <p>Device-to-device copies take a slot with {@link #next}: its earlier uses are waited for on the
 * device, never by the host, so any number of copies share the ring without deadlock. Uploads and
 * downloads, in which the host itself fills or reads the slot, keep one to themselves with {@link
 * #take} and {@link #giveBack}.
 */
public final class StagingRing {
  private final CudaDriver driver;
  private final StagingMemory memory;
  private final int most;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<StagingSlot> slots = new ArrayList<>();
  private final BlockingQueue<StagingSlot> idle;
  private final AtomicInteger turn = new AtomicInteger();
  private volatile long slotBytes;
  private volatile StagingSlot[] made = new StagingSlot[0];

  StagingRing(CudaDriver driver, StagingMemory memory, long slotBytes, int most) {
    this.driver = driver;
    this.memory = memory;
    this.slotBytes = slotBytes;
    this.most = most;
    this.idle = new ArrayBlockingQueue<>(most);
  }

  /** Bytes of a slot; settled once {@link #reserve} has returned. */
  public long slotBytes() {
    return slotBytes;
  }

  /**
   * Makes as many slots as a transfer can use. May block for milliseconds: pinning 64 MiB takes 28
   * ms.
   *
   * @param ordinal through which device's context memory is pinned
   * @param bytes of the transfer
   */
  public void reserve(int ordinal, long bytes) {
    boolean enough = made.length > 0 && made.length * slotBytes >= bytes;
    if (enough || made.length == most) {
      return;
    }
    lock.lock();
    try {
      while (slots.size() < most && (slots.isEmpty() || slots.size() * slotBytes < bytes)) {
        StagingMemory.Piece piece = memory.allocate(ordinal, slotBytes);
        // The first piece decides; later ones that turn out smaller would make the slots unequal.
        if (slots.isEmpty()) {
          slotBytes = piece.bytes();
        } else if (piece.bytes() < slotBytes) {
          return;
        }
        StagingSlot slot =
            new StagingSlot(piece.address(), driver.hostBuffer(piece.address(), piece.bytes()));
        slots.add(slot);
        idle.add(slot);
      }
    } finally {
      made = slots.toArray(new StagingSlot[0]);
      lock.unlock();
    }
  }

  /** The slot whose turn it is, for submissions that order themselves after its last use. */
  public StagingSlot next() {
    StagingSlot[] all = made;
    return all[Math.floorMod(turn.getAndIncrement(), all.length)];
  }

  /** A slot to oneself; blocks until one is idle, so the caller may hold neither lock nor slot. */
  public StagingSlot take() {
    boolean interrupted = false;
    while (true) {
      try {
        StagingSlot slot = idle.take();
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
        return slot;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
  }

  /** Ends what {@link #take} began. */
  public void giveBack(StagingSlot slot) {
    idle.add(slot);
  }
}
