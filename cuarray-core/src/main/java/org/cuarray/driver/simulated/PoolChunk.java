package org.cuarray.driver.simulated;

/** What a pool took from its device in one growth, and gives back in one piece. */
final class PoolChunk {
  final Pool pool;
  final long address;
  final long bytes;
  final long mappedAt;
  final FreeRanges free;

  PoolChunk(Pool pool, long address, long bytes, long mappedAt) {
    this.pool = pool;
    this.address = address;
    this.bytes = bytes;
    this.mappedAt = mappedAt;
    this.free = new FreeRanges(address, bytes);
  }

  boolean isUnused() {
    return free.isWhole(address, bytes);
  }
}
