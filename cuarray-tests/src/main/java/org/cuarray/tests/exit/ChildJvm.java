package org.cuarray.tests.exit;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs a main method in a JVM of its own: the same Java, the same class path, an empty folder to
 * crash in.
 */
final class ChildJvm {
  /** What a child prints when it may be told to end. */
  static final String READY = "ready";

  /**
   * How a child ended.
   *
   * @param code its exit code; {@link #KILLED} where it had to be killed
   * @param seconds from its being ready to its end
   * @param out its standard output, by line
   * @param err its standard error
   * @param left the names of the files that it left behind, such as a crash report
   */
  record Outcome(int code, double seconds, List<String> out, String err, List<String> left) {
    /** What a line says after the given words; for lines like "words: text". */
    String reading(String words) {
      return out.stream()
          .filter(line -> line.startsWith(words + ": "))
          .map(line -> line.substring(words.length() + 2))
          .findFirst()
          .orElseThrow(() -> new AssertionError("no line \"" + words + ": …\" in " + this));
    }
  }

  /** {@code 128 + SIGKILL}. */
  static final int KILLED = 128 + 9;

  private final Path folder;
  private final Duration bound;

  /**
   * A child to be.
   *
   * @param folder an empty one
   * @param bound after which it is killed, start to end
   */
  ChildJvm(Path folder, Duration bound) {
    this.folder = folder;
    this.bound = bound;
  }

  /**
   * Runs a program to its end.
   *
   * @param main its main class
   * @param onReady what to do with the process when it says that it is ready
   * @param arguments of the main method
   */
  Outcome run(Class<?> main, java.util.function.Consumer<Process> onReady, String... arguments)
      throws IOException, InterruptedException {
    Path work = Files.createDirectory(folder.resolve("work"));
    Path errors = folder.resolve("stderr");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).directory(work.toFile()).redirectError(errors.toFile()).start();
    Thread watchdog = new Thread(() -> killAfterBound(process), "watchdog");
    watchdog.setDaemon(true);
    watchdog.start();
    long ready = System.nanoTime();
    List<String> out = new ArrayList<>();
    try (BufferedReader reader = process.inputReader()) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        out.add(line);
        if (line.equals(READY)) {
          ready = System.nanoTime();
          onReady.accept(process);
        }
      }
    }
    int code = process.waitFor();
    double seconds = (System.nanoTime() - ready) / 1e9;
    return new Outcome(code, seconds, out, Files.readString(errors), names(work));
  }

  private void killAfterBound(Process process) {
    try {
      if (!process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
    }
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
