package org.cuarray.driver.simulated;

/** A copy or a fill, perhaps in parts, between which other streams may do what they like. */
abstract class Transfer extends Work {
  private final Block to;
  private final long bytes;
  private final Division parts;
  private int done;

  /**
   * Into how many parts a transfer falls.
   *
   * @param count at least 1
   * @param backwards whether the last one comes first
   */
  record Division(int count, boolean backwards) {
    static final Division WHOLE = new Division(1, false);
  }

  Transfer(Stream stream, Block to, long bytes, Division parts) {
    super(stream);
    this.to = to;
    this.bytes = bytes;
    this.parts = parts;
  }

  @Override
  boolean advance() {
    int part = parts.backwards ? parts.count - 1 - done : done;
    long from = bytes / parts.count * part;
    long end = part == parts.count - 1 ? bytes : bytes / parts.count * (part + 1);
    if (!to.isLost() && !stream.device().lost) {
      move(from, end - from);
    }
    done++;
    return done == parts.count;
  }

  /** Moves some of the bytes. */
  abstract void move(long offset, long count);

  /** A copy. */
  static final class Copy extends Transfer {
    private final Passage passage;
    private final Block to;
    private final long at;
    private final Block from;
    private final long start;

    Copy(
        Stream stream,
        Passage passage,
        Block to,
        long at,
        Block from,
        long start,
        long bytes,
        Division parts) {
      super(stream, to, bytes, parts);
      this.passage = passage;
      this.to = to;
      this.at = at;
      this.from = from;
      this.start = start;
    }

    @Override
    void move(long offset, long count) {
      if (!from.isLost()) {
        passage.copy(to, at + offset, from, start + offset, count, stream.device());
      }
    }
  }

  /** A fill. */
  static final class Fill extends Transfer {
    private final Passage passage;
    private final Block to;
    private final long at;
    private final int pattern;

    Fill(
        Stream stream,
        Passage passage,
        Block to,
        long at,
        long bytes,
        int pattern,
        Division parts) {
      super(stream, to, bytes, parts);
      this.passage = passage;
      this.to = to;
      this.at = at;
      this.pattern = pattern;
    }

    @Override
    void move(long offset, long count) {
      passage.fill(to, at + offset, count, pattern, stream.device());
    }
  }
}
