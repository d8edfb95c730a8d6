package org.cuarray.memory;

import com.google.common.util.concurrent.Uninterruptibles;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.cuarray.CuClosedException;
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
  /** Slots hold whole elements: Java's arrays are moved by elements. */
  private static final long LARGEST_ELEMENT = 16;

  /** In the queue of a closed ring for ever, so that whoever waits there wakes. */
  private static final StagingSlot GONE = new StagingSlot(0, ByteBuffer.allocate(0));

  private final CudaDriver driver;
  private final StagingMemory memory;
  private final int most;
  private final int slotsAtOnce;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<StagingSlot> slots = new ArrayList<>();
  private final List<StagingMemory.Piece> pieces = new ArrayList<>();
  private final BlockingQueue<StagingSlot> idle;
  private final AtomicInteger turn = new AtomicInteger();
  private final long wantedBytes;
  private volatile long slotBytes;
  private volatile boolean closed;
  private int transfers;
  private long idleSince;
  private volatile StagingSlot[] made = new StagingSlot[0];

  /**
   * A ring without slots yet.
   *
   * @param slotBytes of one slot, if so much can be had
   * @param most how many slots there will be at most
   * @param slotsAtOnce how many are made of one piece of memory
   */
  StagingRing(CudaDriver driver, StagingMemory memory, long slotBytes, int most, int slotsAtOnce) {
    this.driver = driver;
    this.memory = memory;
    this.wantedBytes = slotBytes;
    this.most = most;
    this.slotsAtOnce = slotsAtOnce;
    this.idle = new ArrayBlockingQueue<>(most);
  }

  /** Bytes of a slot; settled between {@link #begin} and {@link #end}. */
  public long slotBytes() {
    return slotBytes;
  }

  /**
   * Before a transfer: makes as many slots as it can use, which stay until {@link #end}. May block
   * for milliseconds: pinning 64 MiB takes 28 ms.
   *
   * @param ordinal through which device's context memory is pinned
   * @param bytes of the transfer
   */
  void begin(int ordinal, long bytes) {
    lock.lock();
    try {
      if (!isEnough(slots.size(), bytes)) {
        makeSlots(ordinal, bytes);
      }
      transfers++;
    } finally {
      lock.unlock();
    }
  }

  /** After everything of a transfer was submitted. */
  public void end() {
    lock.lock();
    try {
      transfers--;
      idleSince = System.nanoTime();
    } finally {
      lock.unlock();
    }
  }

  private void makeSlots(int ordinal, long bytes) {
    try {
      while (!isEnough(slots.size(), bytes)) {
        StagingMemory.Piece piece = memory.allocate(ordinal, wantedBytes * slotsAtOnce);
        if (slots.isEmpty()) {
          // The first piece decides: slots are as large as what can be had.
          slotBytes = piece.bytes() / slotsAtOnce / LARGEST_ELEMENT * LARGEST_ELEMENT;
        } else if (piece.bytes() < slotBytes * slotsAtOnce) {
          // Memory has become short; the slots that there are will do.
          memory.free(piece);
          return;
        }
        divide(piece);
      }
    } finally {
      made = slots.toArray(new StagingSlot[0]);
    }
  }

  private boolean isEnough(int count, long bytes) {
    return count == most || (count > 0 && count * slotBytes >= bytes);
  }

  private void divide(StagingMemory.Piece piece) {
    pieces.add(piece);
    for (int i = 0; i < slotsAtOnce && slots.size() < most; i++) {
      long address = piece.address() + i * slotBytes;
      StagingSlot slot = new StagingSlot(address, driver.hostBuffer(address, slotBytes));
      slots.add(slot);
      idle.add(slot);
    }
  }

  /** The slot whose turn it is, for submissions that order themselves after its last use. */
  public StagingSlot next() {
    StagingSlot[] all = made;
    if (all.length == 0) {
      throw closed();
    }
    return all[Math.floorMod(turn.getAndIncrement(), all.length)];
  }

  /**
   * A slot to oneself; blocks until one is idle, so the caller may hold neither lock nor slot.
   *
   * @throws CuClosedException where the memory has gone, or is about to
   */
  public StagingSlot take() {
    StagingSlot slot = takeIdle();
    if (closed) {
      giveBack(slot);
      throw closed();
    }
    return slot;
  }

  private static CuClosedException closed() {
    return new CuClosedException("the runtime that the transfer was made with was closed");
  }

  private StagingSlot takeIdle() {
    return Uninterruptibles.takeUninterruptibly(idle);
  }

  /** Ends what {@link #take} began. */
  public void giveBack(StagingSlot slot) {
    idle.add(slot);
  }

  /**
   * Gives the memory back where no transfer has used it for a while.
   *
   * @param nanos how long; 0 for whatever is not in use at this moment
   * @return whether there is memory left
   */
  boolean giveBackIdle(long nanos) {
    lock.lock();
    try {
      if (transfers == 0 && System.nanoTime() - idleSince >= nanos) {
        giveAllBack();
      }
      return !slots.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Gives the memory back when nobody uses it any more, and makes no more. Idempotent. */
  void close() {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      giveAllBack();
      idle.add(GONE);
    } finally {
      lock.unlock();
    }
  }

  private void giveAllBack() {
    // Host threads give their slots back on their own; after closing none takes another one.
    boolean over = true;
    for (int i = 0; i < slots.size(); i++) {
      over &= takeIdle().retire();
    }
    slots.clear();
    made = new StagingSlot[0];
    if (over) {
      pieces.forEach(memory::free);
    } else {
      FailedFree.leave(pieces);
    }
    pieces.clear();
  }
}
