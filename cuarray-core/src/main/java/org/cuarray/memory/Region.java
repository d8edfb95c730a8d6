package org.cuarray.memory;

import org.cuarray.CuClosedException;
import org.cuarray.stream.AccessMode;
import org.cuarray.stream.Operation;
import org.cuarray.stream.StreamLease;

/**
 * The bytes of one array: a range of a block, and the owner whose closing ends its use. Immutable
 * and made once per array, so that a copy allocates nothing.
 */
public final class Region implements StreamLease.Leasable {
  private final Owner owner;
  private final Block block;
  private final long offset;
  private final long bytes;
  private final Object subject;

  /** What to call the array whose closing ends the use: the subject itself, unless it is a view. */
  private final Object ownerSubject;

  /**
   * The region of an array that owns its memory.
   *
   * @param owner whose closing ends the use of the region
   * @param offset of its first byte in the owner's block
   * @param bytes how many, may be 0
   * @param subject what to call it in messages: its {@code toString()}
   */
  public Region(Owner owner, long offset, long bytes, Object subject) {
    this(owner, offset, bytes, subject, subject);
  }

  private Region(Owner owner, long offset, long bytes, Object subject, Object ownerSubject) {
    this.owner = owner;
    this.block = owner.block();
    this.offset = offset;
    this.bytes = bytes;
    this.subject = subject;
    this.ownerSubject = ownerSubject;
  }

  /**
   * The region of a view of this array.
   *
   * @param offset of its first byte in the owner's block
   * @param bytes how many, may be 0
   * @param view what to call the view in messages
   */
  public Region view(long offset, long bytes, Object view) {
    return new Region(owner, offset, bytes, view, ownerSubject);
  }

  /**
   * Some bytes of this region, which messages call what they call all of it.
   *
   * @param first how many of this region's bytes lie before them
   * @param count how many they are
   */
  public Region part(long first, long count) {
    return new Region(owner, offset + first, count, subject, ownerSubject);
  }

  /** Whose closing ends the use of the region. */
  public Owner owner() {
    return owner;
  }

  /** The allocation. */
  public Block block() {
    return block;
  }

  /** Address of the first byte. */
  public long address() {
    return block.base() + offset;
  }

  /** Bytes between the start of the allocation and the region. */
  public long offset() {
    return offset;
  }

  /** Size in bytes. */
  public long bytes() {
    return bytes;
  }

  /** Where the memory lives. */
  public Residence residence() {
    return block.residence();
  }

  /** Ordinal of the device. */
  public int ordinal() {
    return block.ordinal();
  }

  @Override
  public int touchedBy(Operation step, AccessMode mode) {
    return step.touches(block.history(), offset, offset + bytes, mode);
  }

  /**
   * Checks that the region may be used; exact, and true until the step ends, under the lock of its
   * block.
   *
   * @throws CuClosedException naming the array, and for a view the owner that was closed
   */
  @Override
  public void requireOpen() {
    if (owner.isClosed() || block.isFreed()) {
      throw new CuClosedException(
          subject == ownerSubject
              ? subject + " was closed"
              : "%s, the owner of the view %s, was closed".formatted(ownerSubject, subject));
    }
  }

  @Override
  public String toString() {
    return subject.toString();
  }
}
