package org.cuarray.memory;

import org.cuarray.CuClosedException;
import org.cuarray.stream.Releasable;
import org.jspecify.annotations.Nullable;

/**
 * One of those who keep a block alive. An array that is closed closes its owner; views share the
 * owner of the array that they look at and keep nothing alive. Thread-safe.
 */
public final class Owner implements AutoCloseable, Releasable {
  /** What closing an owner does to the block. */
  private enum Stake {
    OWNED,
    BORROWED
  }

  private final Block block;
  private final Stake stake;
  private final @Nullable ReleaseAction release;
  private volatile boolean closed;

  private Owner(Block block, Stake stake, @Nullable ReleaseAction release) {
    this.block = block;
    this.stake = stake;
    this.release = release;
  }

  /**
   * Makes an owner.
   *
   * @throws CuClosedException where the last owner of the block has gone
   */
  public static Owner of(Block block) {
    if (!block.tryOwn()) {
      throw new CuClosedException("the memory was freed: " + block);
    }
    return new Owner(block, Stake.OWNED, null);
  }

  /** One that keeps nothing alive: its use ends when the block is freed. */
  public static Owner borrowing(Block block) {
    return new Owner(block, Stake.BORROWED, null);
  }

  /** For a block that already counts this owner. */
  static Owner ofOwned(Block block) {
    return new Owner(block, Stake.OWNED, null);
  }

  /**
   * The same owner, which tells the memory's producer when it and those retained from it let go.
   */
  Owner releasing(ReleaseAction action) {
    return new Owner(block, stake, action);
  }

  /**
   * Another owner of the same block.
   *
   * @throws CuClosedException where the last owner of the block has gone
   */
  public Owner retain() {
    Owner[] made = new Owner[1];
    block
        .history()
        .whenLocked(
            () -> {
              if (!closed && block.tryOwn()) {
                made[0] = new Owner(block, Stake.OWNED, release == null ? null : release.share());
              }
            });
    if (made[0] == null) {
      throw new CuClosedException("the memory was freed: " + block);
    }
    return made[0];
  }

  /** What it owns. */
  public Block block() {
    return block;
  }

  /** Whether this owner has let go, whoever else may still own the block. */
  @Override
  public boolean isClosed() {
    return closed;
  }

  /**
   * Lets go. Idempotent, throws nothing; waits for nothing but the locks of the block. Whoever
   * calls it second returns after the first has let go.
   */
  @Override
  public void close() {
    block.history().whenLocked(this::letGo);
  }

  private void letGo() {
    if (closed) {
      return;
    }
    closed = true;
    if (release != null) {
      release.drop(block);
    }
    if (stake == Stake.OWNED) {
      block.disown();
    }
  }
}
