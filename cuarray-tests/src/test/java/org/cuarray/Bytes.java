package org.cuarray;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;

/** Byte buffers in native order, as the driver's memory is. */
final class Bytes {
  private Bytes() {}

  static ByteBuffer ofLength(int length) {
    return ByteBuffer.allocateDirect(length).order(ByteOrder.nativeOrder());
  }

  static ByteBuffer random(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return ofLength(length).put(0, bytes);
  }

  /** The byte order that this machine does not have. */
  static ByteOrder foreignOrder() {
    return ByteOrder.nativeOrder().equals(ByteOrder.LITTLE_ENDIAN)
        ? ByteOrder.BIG_ENDIAN
        : ByteOrder.LITTLE_ENDIAN;
  }
}
