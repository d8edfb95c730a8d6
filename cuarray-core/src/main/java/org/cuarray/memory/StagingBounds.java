package org.cuarray.memory;

/**
 * How much pinned host memory staging may take, and in what pieces.
 *
 * @param chunkBytes of one piece for large copies
 * @param chunks how many such pieces a device has for each use: copies to other devices, uploads,
 *     downloads
 */
public record StagingBounds(long chunkBytes, int chunks) {
  /** 8 MiB × 4, the best of those measured on H200: 53.4 GB/s of 55.3 that one leg gives alone. */
  public static final StagingBounds DEFAULT = new StagingBounds(8 << 20, 4);

  /** Checks the bounds. */
  public StagingBounds {
    if (chunkBytes < 4 << 10 || chunkBytes > 1 << 30) {
      throw new IllegalArgumentException(
          "staging chunks of " + chunkBytes + " bytes; from 4 KiB to 1 GiB are possible");
    }
    if (chunks < 2 || chunks > 64) {
      throw new IllegalArgumentException(chunks + " staging chunks; from 2 to 64 are possible");
    }
  }

  /**
   * The same for one use. Uploads and downloads, in which several threads work on a slot each, take
   * more and smaller pieces: beside H200 8 threads gave 51 GB/s up and 42 down with 4 MiB × 16, and
   * 30 and 23 with 8 MiB × 4.
   */
  StagingBounds of(Staging.Use use) {
    return switch (use) {
      case BETWEEN_DEVICES -> this;
      case UPLOAD, DOWNLOAD ->
          new StagingBounds(Math.max(4 << 10, chunkBytes / 2), Math.min(64, 4 * chunks));
    };
  }
}
