package org.cuarray.driver.simulated;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Host memory that Java can see: a direct buffer, or beyond {@link #LARGEST_BUFFER} a sparse file
 * that is mapped window by window, so that an array past 2^31 bytes costs what was written to it.
 *
 * <p>Memory is taken at the first use. Not thread-safe; the buffers it hands out are the memory
 * itself and obey nobody's lock, as real host memory.
 */
final class HostBytes implements Store {
  /**
   * Below the default limit of direct memory, which is the heap's ({@code
   * -XX:MaxDirectMemorySize}).
   */
  static final long LARGEST_BUFFER = 256L << 20;

  /** Filling more than this would cost more than the copies under test. */
  private static final long LARGEST_POISONED = 1L << 20;

  /** Bytes that are filled one by one before the filled part doubles; a multiple of a pattern. */
  private static final int FIRST_FILLED = 16;

  private final long size;
  private @Nullable ByteBuffer buffer;
  private @Nullable SparseFile file;

  HostBytes(long size) {
    this.size = size;
  }

  /** A window in native byte order, on the memory itself. */
  ByteBuffer window(long at, long bytes) {
    int length = Math.toIntExact(bytes);
    if (size > LARGEST_BUFFER) {
      return file().map(at, length).order(ByteOrder.nativeOrder());
    }
    return buffer().slice((int) at, length).order(ByteOrder.nativeOrder());
  }

  /** What cannot be freed reads as poison, so that a stale window is noticed. */
  @Override
  public void release() {
    if (file != null) {
      file.close();
    }
    if (buffer != null && size <= LARGEST_POISONED) {
      fill(0, size, FREED);
    }
    buffer = null;
    file = null;
  }

  @Override
  public void fill(long at, long count, int pattern) {
    for (long done = 0; done < count; ) {
      long offset = at + done;
      ByteBuffer part = part(offset);
      int start = startIn(offset);
      int length = (int) Math.min(count - done, (long) part.capacity() - start);
      int filled = Math.min(length, FIRST_FILLED);
      for (int i = 0; i < filled; i++) {
        part.put(start + i, Store.patternAt(pattern, offset + i));
      }
      // Doubling keeps the period of 4, and is a memory copy and no loop over bytes.
      for (; filled < length; filled += Math.min(filled, length - filled)) {
        part.put(start + filled, part, start, Math.min(filled, length - filled));
      }
      done += length;
    }
  }

  /**
   * Whether a range, of at least a word, is the same four bytes over and over. May say no for one
   * that lies across two windows of the file.
   */
  boolean isUniform(long at, int count) {
    ByteBuffer part = part(at);
    int start = startIn(at);
    int rest = count - Integer.BYTES;
    return rest >= 0
        && count <= part.capacity() - start
        && part.slice(start, rest).mismatch(part.slice(start + Integer.BYTES, rest)) < 0;
  }

  /** The four bytes at an offset, the first one lowest. */
  int word(long at) {
    return part(at).duplicate().order(ByteOrder.LITTLE_ENDIAN).getInt(startIn(at));
  }

  void get(long at, byte[] to, int start, int count) {
    for (int done = 0; done < count; ) {
      ByteBuffer part = part(at + done);
      int from = startIn(at + done);
      int length = Math.min(count - done, part.capacity() - from);
      part.get(from, to, start + done, length);
      done += length;
    }
  }

  void put(long at, byte[] from, int start, int count) {
    for (int done = 0; done < count; ) {
      ByteBuffer part = part(at + done);
      int to = startIn(at + done);
      int length = Math.min(count - done, part.capacity() - to);
      part.put(to, from, start + done, length);
      done += length;
    }
  }

  void copyFrom(long at, HostBytes from, long start, long count) {
    for (long done = 0; done < count; ) {
      ByteBuffer part = part(at + done);
      ByteBuffer source = from.part(start + done);
      int to = startIn(at + done);
      int read = from.startIn(start + done);
      int room = Math.min(part.capacity() - to, source.capacity() - read);
      int length = (int) Math.min(count - done, room);
      part.put(to, source, read, length);
      done += length;
    }
  }

  private ByteBuffer part(long at) {
    return size > LARGEST_BUFFER ? file().window(at) : buffer();
  }

  private int startIn(long at) {
    return size > LARGEST_BUFFER ? SparseFile.offsetInWindow(at) : (int) at;
  }

  private ByteBuffer buffer() {
    ByteBuffer existing = buffer;
    if (existing == null) {
      existing = ByteBuffer.allocateDirect((int) size);
      buffer = existing;
      if (size <= LARGEST_POISONED) {
        fill(0, size, POISON);
      }
    }
    return existing;
  }

  private SparseFile file() {
    SparseFile existing = file;
    if (existing == null) {
      existing = new SparseFile(size);
      file = existing;
    }
    return existing;
  }
}
