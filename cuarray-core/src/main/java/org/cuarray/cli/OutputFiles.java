package org.cuarray.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Files that a command writes because it was asked to. */
final class OutputFiles {
  /** Writes one. */
  @FunctionalInterface
  interface Writing {
    void run() throws IOException;
  }

  private OutputFiles() {}

  /**
   * Makes the file's folder, and checks that the file can be written: minutes of measuring shall
   * not end in a refusal.
   *
   * @throws IllegalArgumentException where it can't be
   */
  static void prepare(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    try {
      if (folder != null) {
        Files.createDirectories(folder);
      }
    } catch (IOException e) {
      throw refused(file, e.toString(), e);
    }
    if (Files.isDirectory(file)) {
      throw refused(file, "it is a folder", null);
    }
    Path written = Files.exists(file) || folder == null ? file : folder;
    if (!Files.isWritable(written)) {
      throw refused(file, written + " is not writable", null);
    }
  }

  /**
   * Writes a file and says so.
   *
   * @throws IllegalArgumentException where it can't be written
   */
  static void write(PrintWriter out, String what, Path file, Writing writing) {
    try {
      writing.run();
      out.println(what + ": " + file);
    } catch (IOException e) {
      throw refused(file, e.toString(), e);
    }
  }

  private static IllegalArgumentException refused(
      Path file, String why, @Nullable Exception cause) {
    return new IllegalArgumentException("%s can't be written: %s".formatted(file, why), cause);
  }
}
