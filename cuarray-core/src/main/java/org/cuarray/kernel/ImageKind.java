package org.cuarray.kernel;

import java.nio.charset.StandardCharsets;

/** What the first bytes of a module look like. For messages; the driver decides. */
enum ImageKind {
  CUBIN("a cubin"),
  FATBIN("a fatbin"),
  PTX("PTX"),
  SOURCE("CUDA C++, which is for CuRuntime.compile,"),
  UNKNOWN("neither PTX, a cubin nor a fatbin,");

  private static final int ELF = 0x7F454C46;
  private static final int FATBIN_MAGIC = 0x50ED55BA;
  private static final int HEAD_BYTES = 4096;

  private final String words;

  ImageKind(String words) {
    this.words = words;
  }

  static ImageKind of(byte[] image) {
    int magic = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      magic = magic << 8 | (i < image.length ? image[i] & 0xFF : 0);
    }
    if (magic == ELF) {
      return CUBIN;
    }
    if (magic == FATBIN_MAGIC) {
      return FATBIN;
    }
    String head =
        new String(image, 0, Math.min(image.length, HEAD_BYTES), StandardCharsets.ISO_8859_1);
    if (head.contains(".version")) {
      return PTX;
    }
    return head.contains("__global__") ? SOURCE : UNKNOWN;
  }

  @Override
  public String toString() {
    return words;
  }
}
