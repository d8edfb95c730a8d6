package org.cuarray.driver.simulated;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One allocation. */
final class Block {
  final MemoryKind kind;
  final long address;

  /** As asked for; past it a copy is refused even where the driver rounded up. */
  final long bytes;

  /** A number that no other allocation of this machine has or had. */
  final long id;

  final Store store;

  /** Where it lies, or for host memory where it was pinned; null only for pageable memory. */
  final @Nullable Device device;

  /** Null for pool memory, which belongs to no context, and for pageable memory. */
  final @Nullable Context context;

  final @Nullable PoolChunk chunk;

  /** When its memory was mapped, on the machine's count of mappings and grants. */
  final long mappedAt;

  final Trace allocated;

  /** For stream-ordered memory on a machine that checks the order: what handed it out. */
  @Nullable Submission allocation;

  /** See {@link CheckedSchedule}; empty where nothing checks the order. */
  final AccessHistory accesses = new AccessHistory();

  /** What devices that write through a mirroring peer link see here, by ordinal. */
  private @Nullable Store @Nullable [] mirages;

  private Block(
      MemoryKind kind,
      long address,
      long bytes,
      long id,
      @Nullable Device device,
      @Nullable Context context,
      @Nullable PoolChunk chunk,
      long mappedAt,
      Trace allocated) {
    this.kind = kind;
    this.address = address;
    this.bytes = bytes;
    this.id = id;
    this.device = device;
    this.context = context;
    this.chunk = chunk;
    this.mappedAt = mappedAt;
    this.store = kind.isHost() ? new HostBytes(bytes) : new SparseBytes(bytes);
    this.allocated = allocated;
  }

  /** An allocation in a context. */
  static Block of(Machine machine, MemoryKind kind, long address, long bytes, Context context) {
    return new Block(
        kind,
        address,
        bytes,
        machine.nextId(),
        context.device,
        context,
        null,
        machine.tick(),
        machine.trace());
  }

  /** An allocation in a pool. */
  static Block inPool(Machine machine, PoolChunk chunk, long address, long bytes) {
    return new Block(
        MemoryKind.POOL,
        address,
        bytes,
        machine.nextId(),
        chunk.pool.device,
        null,
        chunk,
        chunk.mappedAt,
        machine.trace());
  }

  /** Memory that CUDA does not know. */
  static Block pageable(Machine machine, long address, long bytes) {
    return new Block(
        MemoryKind.PAGEABLE,
        address,
        bytes,
        machine.nextId(),
        null,
        null,
        null,
        machine.tick(),
        machine.trace());
  }

  /** Host memory with a copy of some of the bytes, where nobody else finds it. */
  Block copyOf(long start, long count) {
    Block copy =
        new Block(MemoryKind.PAGEABLE, 0, count, 0, null, null, null, mappedAt, Trace.empty());
    Store.copy(copy.store, 0, store, start, count);
    return copy;
  }

  /** Whether {@code count} bytes from an address in it are all in it. */
  boolean holds(long from, long count) {
    return count >= 0 && count <= bytes - (from - address);
  }

  boolean isLost() {
    return device != null && device.lost;
  }

  /** What a device sees here: the truth, unless a mirroring link fools it. */
  Store seenBy(Device reader) {
    Store mirage = mirages == null ? null : mirages[reader.ordinal];
    return mirage == null ? store : mirage;
  }

  /** A copy of the truth that only {@code reader} sees from now on. */
  Store mirageFor(Device reader, int devices) {
    @Nullable Store[] all = mirages;
    if (all == null) {
      all = new Store[devices];
      mirages = all;
    }
    Store mirage = all[reader.ordinal];
    if (mirage == null) {
      mirage = ((SparseBytes) store).snapshot();
      all[reader.ordinal] = mirage;
    }
    return mirage;
  }

  /** It is freed: whatever still reads it is to notice. */
  void becomeGarbage() {
    store.release();
    mirages = null;
  }

  /** Writes, ending every mirage over the range. */
  void write(long at, Store from, long start, long count) {
    Store.copy(store, at, from, start, count);
    if (mirages != null) {
      for (Store mirage : mirages) {
        if (mirage != null) {
          Store.copy(mirage, at, store, at, count);
        }
      }
    }
  }

  /** Fills, ending every mirage over the range. */
  void fill(long at, long count, int pattern) {
    store.fill(at, count, pattern);
    if (mirages != null) {
      for (Store mirage : mirages) {
        if (mirage != null) {
          mirage.fill(at, count, pattern);
        }
      }
    }
  }

  @Override
  public String toString() {
    return "%s memory%s, %d bytes at 0x%x"
        .formatted(
            kind.name().toLowerCase(Locale.ROOT),
            device == null ? "" : " of device " + device.ordinal,
            bytes,
            address);
  }
}
