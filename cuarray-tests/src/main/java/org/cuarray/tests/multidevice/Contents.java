package org.cuarray.tests.multidevice;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.cuarray.CuArray;
import org.cuarray.DType;
import org.cuarray.HostArray;

/** Bytes that are known, in an array that may be larger than the host's memory. */
public interface Contents {

  /**
   * Writes them.
   *
   * @param array of exactly that many bytes
   */
  void writeTo(CuArray<Byte> array);

  /**
   * Reads an array through the host and compares every byte.
   *
   * @param array of exactly that many bytes
   * @param window pinned memory to read through; its size is the size of a slice
   * @param what names the array in a failure
   */
  void verify(CuArray<Byte> array, HostArray<Byte> window, String what);

  /**
   * Random bytes, all of them kept on the host.
   *
   * @param bytes at most 2^31 - 9
   * @param seed of the generator
   * @return the contents
   */
  static Contents random(long bytes, long seed) {
    byte[] all = new byte[Math.toIntExact(bytes)];
    new SplittableRandom(seed).nextBytes(all);
    return new Contents() {
      @Override
      public void writeTo(CuArray<Byte> array) {
        array.copyFrom(DType.INT8, all);
      }

      @Override
      public void verify(CuArray<Byte> array, HostArray<Byte> window, String what) {
        assertSame(ByteBuffer.wrap(array.toArray(DType.INT8)), ByteBuffer.wrap(all), 0, what);
      }
    };
  }

  /** Fails at the first byte in which two buffers of one length differ. */
  static void assertSame(ByteBuffer actual, ByteBuffer expected, long position, String what) {
    assertThat(actual.remaining()).as(what).isEqualTo(expected.remaining());
    int wrong = actual.mismatch(expected);
    if (wrong >= 0) {
      assertThat(actual.get(actual.position() + wrong))
          .as("%s, byte %d", what, position + wrong)
          .isEqualTo(expected.get(expected.position() + wrong));
    }
  }
}
