package org.cuarray.driver.simulated;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A temporary file with holes for bytes never written, seen through memory maps. It is gone when it
 * is closed or the process ends. Not thread-safe.
 */
final class SparseFile {
  private static final int WINDOW_SHIFT = 28;

  private final long size;
  private final FileChannel channel;
  private final @Nullable MappedByteBuffer[] windows;

  SparseFile(long size) {
    this.size = size;
    this.windows = new MappedByteBuffer[(int) ((size - 1) >>> WINDOW_SHIFT) + 1];
    try {
      Path path = Files.createTempFile("cuarray-simulated-host-memory", ".bin");
      Files.delete(path);
      channel =
          FileChannel.open(
              path,
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.SPARSE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE);
    } catch (IOException e) {
      throw new UncheckedIOException("no room for " + size + " bytes of simulated host memory", e);
    }
  }

  MappedByteBuffer map(long at, int bytes) {
    try {
      return channel.map(MapMode.READ_WRITE, at, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("mapping " + bytes + " bytes of simulated host memory", e);
    }
  }

  /** The standing window that holds an offset; see {@link #offsetInWindow}. */
  MappedByteBuffer window(long at) {
    int index = (int) (at >>> WINDOW_SHIFT);
    MappedByteBuffer window = windows[index];
    if (window == null) {
      long start = (long) index << WINDOW_SHIFT;
      window = map(start, (int) Math.min(1L << WINDOW_SHIFT, size - start));
      windows[index] = window;
    }
    return window;
  }

  static int offsetInWindow(long at) {
    return (int) (at & ((1L << WINDOW_SHIFT) - 1));
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("closing simulated host memory", e);
    }
  }
}
