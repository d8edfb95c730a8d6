package org.cuarray.driver.simulated;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Device memory that costs what was written to it: pages of 64 KiB that are absent until first
 * written, uniform where a fill covered them, and shared between copies until one side is written.
 *
 * <p>So an allocation of 2^40 bytes costs an index, and a copy of a filled array of 5 GiB moves no
 * bytes. What comes from the host is looked at first, so that a filled array stays cheap on its way
 * through the host as well. Allocations shorter than a page are one array of their own length. Not
 * thread-safe.
 */
final class SparseBytes implements Store {
  static final int PAGE_BYTES = 1 << 16;
  private static final int PAGE_SHIFT = 16;
  private static final int CHUNK_SHIFT = 10;
  private static final int CHUNK_PAGES = 1 << CHUNK_SHIFT;
  private static final Page FRESH = new Page(POISON);
  private static final Page GARBAGE = new Page(FREED);

  /**
   * Parts from here on are looked at: they may be uniform, or may have completed a uniform page.
   */
  private static final int WORTH_A_LOOK = 1 << 12;

  /** One page: an array, or without one the same four bytes over and over. */
  private static final class Page {
    private final int pattern;
    private byte @Nullable [] bytes;

    /** Never cleared: the last holder pays one copy too many, and nobody counts references. */
    private boolean shared;

    Page(int pattern) {
      this.pattern = pattern;
      this.shared = true;
    }

    Page(byte[] bytes) {
      this.pattern = 0;
      this.bytes = bytes;
    }

    boolean isUniform(int wanted) {
      return bytes == null && pattern == wanted;
    }
  }

  private final long size;
  private final @Nullable Page[][] chunks;

  /** What absent pages read as. */
  private Page absent = FRESH;

  SparseBytes(long size) {
    this.size = size;
    long pages = (size + PAGE_BYTES - 1) >>> PAGE_SHIFT;
    chunks = new Page[(int) ((pages + CHUNK_PAGES - 1) >>> CHUNK_SHIFT)][];
  }

  /** A second store with the same content; pages are shared until either side is written. */
  SparseBytes snapshot() {
    SparseBytes copy = new SparseBytes(size);
    copy.absent = absent;
    for (int i = 0; i < chunks.length; i++) {
      @Nullable Page[] chunk = chunks[i];
      if (chunk != null) {
        for (@Nullable Page page : chunk) {
          if (page != null) {
            page.shared = true;
          }
        }
        copy.chunks[i] = chunk.clone();
      }
    }
    return copy;
  }

  @Override
  public void release() {
    Arrays.fill(chunks, null);
    absent = GARBAGE;
  }

  @Override
  public void fill(long at, long count, int pattern) {
    Page uniform = null;
    for (long done = 0; done < count; ) {
      long offset = at + done;
      long index = offset >>> PAGE_SHIFT;
      int start = (int) (offset & (PAGE_BYTES - 1));
      int length = (int) Math.min(count - done, pageLength(index) - start);
      Page page = page(index);
      if (!page.isUniform(pattern)) {
        byte[] bytes = length == PAGE_BYTES ? null : filled(index, start, length, pattern);
        if (bytes == null || (length >= WORTH_A_LOOK && isUniformPage(bytes, pattern))) {
          uniform = uniform == null ? new Page(pattern) : uniform;
          setPage(index, uniform);
        }
      }
      done += length;
    }
  }

  private byte[] filled(long index, int start, int length, int pattern) {
    byte[] bytes = writable(index);
    Store.fill(bytes, start, length, pattern);
    return bytes;
  }

  /**
   * Whether a page has become what a fill of the whole of it gives; a short one keeps its array.
   */
  private static boolean isUniformPage(byte[] page, int pattern) {
    if (page.length < PAGE_BYTES) {
      return false;
    }
    for (int i = 0; i < Integer.BYTES; i++) {
      if (page[i] != Store.patternAt(pattern, i)) {
        return false;
      }
    }
    int rest = page.length - Integer.BYTES;
    return Arrays.equals(page, 0, rest, page, Integer.BYTES, page.length);
  }

  void copyFrom(long at, SparseBytes from, long start, long count) {
    for (long done = 0; done < count; ) {
      long to = at + done;
      long source = start + done;
      int toStart = (int) (to & (PAGE_BYTES - 1));
      int sourceStart = (int) (source & (PAGE_BYTES - 1));
      int length = (int) Math.min(count - done, PAGE_BYTES - (long) Math.max(toStart, sourceStart));
      copyWithinPages(to, toStart, from, source, sourceStart, length);
      done += length;
    }
  }

  private void copyWithinPages(
      long to, int toStart, SparseBytes from, long source, int sourceStart, int length) {
    Page page = from.page(source >>> PAGE_SHIFT);
    byte[] bytes = page.bytes;
    if (length == PAGE_BYTES) {
      page.shared = true;
      setPage(to >>> PAGE_SHIFT, page);
    } else if (bytes == null) {
      fill(to, length, Store.moved(page.pattern, to - source));
    } else {
      System.arraycopy(bytes, sourceStart, writable(to >>> PAGE_SHIFT), toStart, length);
    }
  }

  void readFrom(long at, HostBytes from, long start, long count) {
    for (long done = 0; done < count; ) {
      long offset = at + done;
      int pageStart = (int) (offset & (PAGE_BYTES - 1));
      int length = (int) Math.min(count - done, PAGE_BYTES - (long) pageStart);
      if (length >= WORTH_A_LOOK && from.isUniform(start + done, length)) {
        fill(offset, length, Store.moved(from.word(start + done), offset));
      } else {
        from.get(start + done, writable(offset >>> PAGE_SHIFT), pageStart, length);
      }
      done += length;
    }
  }

  void writeTo(long start, HostBytes to, long at, long count) {
    for (long done = 0; done < count; ) {
      long offset = start + done;
      int pageStart = (int) (offset & (PAGE_BYTES - 1));
      int length = (int) Math.min(count - done, PAGE_BYTES - (long) pageStart);
      Page page = page(offset >>> PAGE_SHIFT);
      byte[] bytes = page.bytes;
      if (bytes == null) {
        to.fill(at + done, length, Store.moved(page.pattern, at - start));
      } else {
        to.put(at + done, bytes, pageStart, length);
      }
      done += length;
    }
  }

  /** Flips the lowest bit of one byte, as a link that goes bad does. */
  void flipBit(long at) {
    writable(at >>> PAGE_SHIFT)[(int) (at & (PAGE_BYTES - 1))] ^= 1;
  }

  private Page page(long index) {
    @Nullable Page[] chunk = chunks[(int) (index >>> CHUNK_SHIFT)];
    Page page = chunk == null ? null : chunk[(int) index & (CHUNK_PAGES - 1)];
    return page == null ? absent : page;
  }

  private void setPage(long index, Page page) {
    int at = (int) (index >>> CHUNK_SHIFT);
    @Nullable Page[] chunk = chunks[at];
    if (chunk == null) {
      long pages = (size + PAGE_BYTES - 1) >>> PAGE_SHIFT;
      chunk = new Page[(int) Math.min(CHUNK_PAGES, pages - ((long) at << CHUNK_SHIFT))];
      chunks[at] = chunk;
    }
    chunk[(int) index & (CHUNK_PAGES - 1)] = page;
  }

  private byte[] writable(long index) {
    Page page = page(index);
    byte[] bytes = page.bytes;
    if (bytes != null && !page.shared) {
      return bytes;
    }
    byte[] own;
    if (bytes == null) {
      own = new byte[pageLength(index)];
      Store.fill(own, 0, own.length, page.pattern);
    } else {
      own = bytes.clone();
    }
    setPage(index, new Page(own));
    return own;
  }

  private int pageLength(long index) {
    return (int) Math.min(PAGE_BYTES, size - (index << PAGE_SHIFT));
  }
}
