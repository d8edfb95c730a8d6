package org.cuarray.tests.multidevice;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map.Entry;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.cuarray.CuArray;
import org.cuarray.DType;
import org.cuarray.HostArray;

/**
 * One byte everywhere but at some random places and at the places where offsets overflow: for
 * gigabytes on a simulated device, which keeps only what is not uniform.
 */
final class MarkedFill implements Contents {
  private static final int RANDOM_MARKS = 6;
  private static final long[] EDGES = {0, Integer.MAX_VALUE, 1L << 31, (1L << 32) - 1, 1L << 32};

  private final long bytes;
  private final byte fill;
  private final NavigableMap<Long, Byte> marks = new TreeMap<>();

  MarkedFill(long bytes, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    this.bytes = bytes;
    this.fill = (byte) random.nextInt();
    for (long edge : EDGES) {
      mark(edge, random);
    }
    mark(bytes - 1, random);
    for (int i = 0; i < RANDOM_MARKS; i++) {
      mark(random.nextLong(bytes), random);
    }
  }

  private void mark(long position, SplittableRandom random) {
    if (position >= 0 && position < bytes) {
      marks.put(position, (byte) (fill ^ random.nextInt(1, 256)));
    }
  }

  @Override
  public void writeTo(CuArray<Byte> array) {
    array.fill((Byte) fill);
    marks.forEach((position, mark) -> array.set(mark, position));
  }

  @Override
  public void verify(CuArray<Byte> array, HostArray<Byte> window, String what) {
    byte[] uniform = new byte[Math.toIntExact(Math.min(window.size(), bytes))];
    Arrays.fill(uniform, fill);
    for (long start = 0; start < bytes; start += uniform.length) {
      int length = (int) Math.min(uniform.length, bytes - start);
      HostArray<Byte> landed = window.slice(0, length);
      try (CuArray<Byte> slice = array.slice(start, start + length)) {
        slice.copyTo(landed);
      }
      landed.synchronize();
      ByteBuffer seen = landed.asByteBuffer(0, length);
      for (Entry<Long, Byte> mark : marks.subMap(start, start + length).entrySet()) {
        int place = (int) (mark.getKey() - start);
        Contents.assertSame(
            seen.slice(place, 1),
            ByteBuffer.wrap(new byte[] {mark.getValue()}),
            mark.getKey(),
            what);
        seen.put(place, fill);
      }
      Contents.assertSame(seen, ByteBuffer.wrap(uniform, 0, length), start, what);
    }
  }

  @Override
  public String toString() {
    return "%s × %d with marks at %s".formatted(DType.INT8, fill, marks.keySet());
  }
}
