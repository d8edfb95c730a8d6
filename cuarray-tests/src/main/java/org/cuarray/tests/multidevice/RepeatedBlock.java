package org.cuarray.tests.multidevice;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import org.cuarray.CuArray;
import org.cuarray.DType;
import org.cuarray.HostArray;

/**
 * One block of random bytes over and over, each stamped with its number: for gigabytes on a real
 * device, where the device makes the repetitions and the host keeps a single block.
 *
 * <p>The length of the block shares no factor with any chunk that a copy is cut into, so that a
 * chunk in another chunk's place shows.
 */
final class RepeatedBlock implements Contents {
  /** A prime just below 64 MiB. */
  private static final int BLOCK = 67_108_859;

  private final long bytes;
  private final byte[] block;

  RepeatedBlock(long bytes, long seed) {
    this.bytes = bytes;
    this.block = new byte[(int) Math.min(BLOCK, bytes)];
    new SplittableRandom(seed).nextBytes(block);
  }

  @Override
  public void writeTo(CuArray<Byte> array) {
    try (CuArray<Byte> first = array.slice(0, block.length)) {
      first.copyFrom(DType.INT8, block);
    }
    for (long filled = block.length; filled < bytes; filled *= 2) {
      long more = Math.min(filled, bytes - filled);
      try (CuArray<Byte> from = array.slice(0, more);
          CuArray<Byte> to = array.slice(filled, filled + more)) {
        from.copyTo(to);
      }
    }
    for (long start = BLOCK; start + Long.BYTES <= bytes; start += BLOCK) {
      try (CuArray<Byte> stamped = array.slice(start, start + Long.BYTES)) {
        stamped.copyFrom(DType.INT8, stamp(start));
      }
    }
  }

  private static byte[] stamp(long start) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(start).array();
  }

  @Override
  public void verify(CuArray<Byte> array, HostArray<Byte> window, String what) {
    byte[] expected = block.clone();
    for (long start = 0; start < bytes; start += BLOCK) {
      int length = (int) Math.min(block.length, bytes - start);
      if (start > 0 && length >= Long.BYTES) {
        System.arraycopy(stamp(start), 0, expected, 0, Long.BYTES);
      }
      verifyBlock(array, start, ByteBuffer.wrap(expected, 0, length), window, what);
    }
  }

  private static void verifyBlock(
      CuArray<Byte> array, long start, ByteBuffer expected, HostArray<Byte> window, String what) {
    int length = expected.remaining();
    for (int done = 0; done < length; ) {
      int piece = (int) Math.min(window.size(), (long) length - done);
      HostArray<Byte> landed = window.slice(0, piece);
      try (CuArray<Byte> slice = array.slice(start + done, start + done + piece)) {
        slice.copyTo(landed);
      }
      landed.synchronize();
      Contents.assertSame(
          landed.asByteBuffer(0, piece), expected.slice(done, piece), start + done, what);
      done += piece;
    }
  }

  @Override
  public String toString() {
    return "a repeated random block";
  }
}
