package org.cuarray.memory;

import org.cuarray.MemoryKind;
import org.cuarray.registry.Allocation;
import org.cuarray.stream.History;

/**
 * One allocation: its address, its residence, the order of what touches it, and how many own it.
 *
 * <p>Whoever has the lock of its {@link #history} (every {@code Operation} that touches it) may
 * rely on {@link #isFreed} until it lets the lock go; freeing takes the same lock.
 */
public final class Block implements Allocation {
  private final long base;
  private final long bytes;
  private final Residence residence;
  private final Provenance provenance;
  private final Freeing freeing;
  private final History history;
  private int owners;
  private volatile boolean freed;

  /** Who allocated a block. */
  enum Provenance {
    OURS,
    FOREIGN
  }

  /** How a block's memory goes back to where it came from. */
  @FunctionalInterface
  interface Freeing {
    /**
     * Frees the memory after everything submitted on it. Called once, with the lock of the block's
     * history held, when nothing can be submitted on it any more. Throws nothing.
     */
    void free(Block block);
  }

  /** A block that this library allocated. */
  Block(long base, long bytes, Residence residence, Freeing freeing) {
    this(base, bytes, residence, Provenance.OURS, freeing, new History(bytes));
  }

  private Block(
      long base,
      long bytes,
      Residence residence,
      Provenance provenance,
      Freeing freeing,
      History history) {
    this.base = base;
    this.bytes = bytes;
    this.residence = residence;
    this.provenance = provenance;
    this.freeing = freeing;
    this.history = history;
  }

  /**
   * A block that somebody else allocated: it is never freed, and its order may be older than it.
   *
   * @param history of the same bytes
   * @param retirement what becomes of the block when its last owner has gone
   */
  static Block foreign(
      long base, long bytes, Residence residence, History history, Freeing retirement) {
    return new Block(base, bytes, residence, Provenance.FOREIGN, retirement, history);
  }

  /**
   * A block without bytes, for arrays without elements: no driver call makes or frees it.
   *
   * @param ordinal the device that the array is said to be on
   * @param kind how it would have been allocated
   */
  public static Block empty(int ordinal, MemoryKind kind) {
    return new Block(0, 0, new Residence(0, ordinal, 0, kind, 0, null), block -> {});
  }

  @Override
  public long base() {
    return base;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public int ordinal() {
    return residence.ordinal();
  }

  @Override
  public long context() {
    return residence.context();
  }

  @Override
  public MemoryKind kind() {
    return residence.kind();
  }

  /** Whether somebody else allocated it. */
  public boolean isForeign() {
    return provenance == Provenance.FOREIGN;
  }

  /** Where the block lives. */
  public Residence residence() {
    return residence;
  }

  /** The order of everything that touches the block. */
  public History history() {
    return history;
  }

  /** Whether the last owner has gone; exact under the lock of the history. */
  public boolean isFreed() {
    return freed;
  }

  /** One owner more, unless the last one has gone. */
  boolean tryOwn() {
    boolean[] owned = new boolean[1];
    history.whenLocked(
        () -> {
          if (!freed) {
            owners++;
            owned[0] = true;
          }
        });
    return owned[0];
  }

  /** One owner less; the last one frees the memory, as soon as nobody holds a range of it. */
  void disown() {
    history.whenLocked(
        () -> {
          if (--owners == 0) {
            freed = true;
            history.whenNotHeld(() -> freeing.free(this));
          }
        });
  }

  /**
   * Blocks go into a hash set when they are made, and an object's own hash costs its first caller
   * as much as the rest of an allocation. Equality is identity all the same.
   */
  @Override
  public int hashCode() {
    return Long.hashCode(base * 0x9E3779B97F4A7C15L);
  }

  @Override
  public String toString() {
    return "%d bytes at 0x%x of %s".formatted(bytes, base, residence);
  }
}
