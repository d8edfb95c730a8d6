package org.cuarray.cli;

import java.io.PrintWriter;
import java.time.Duration;

/** A bar with the time left, below the lines that have been printed. For terminals. */
final class ProgressBar implements Progress {
  private static final int WIDTH = 30;

  private final PrintWriter out;
  private final long start = System.nanoTime();
  private int shown;

  ProgressBar(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void show(int done, int all) {
    clear();
    String line = text(done, all, Duration.ofNanos(System.nanoTime() - start));
    shown = line.length();
    // The cursor goes back to the first column, so that a warning begins there.
    out.print(line + '\r');
    out.flush();
  }

  @Override
  public void clear() {
    if (shown > 0) {
      out.print(" ".repeat(shown) + '\r');
      out.flush();
      shown = 0;
    }
  }

  static String text(int done, int all, Duration passed) {
    int full = (int) ((long) WIDTH * done / all);
    String bar = "#".repeat(full) + "-".repeat(WIDTH - full);
    String left =
        done == 0 ? "" : ", " + inWords(passed.multipliedBy(all - done).dividedBy(done)) + " left";
    return "[%s] %d of %d%s".formatted(bar, done, all, left);
  }

  private static String inWords(Duration duration) {
    long seconds = Math.max(1, duration.toSeconds());
    return seconds < 100 ? seconds + " s" : (seconds + 30) / 60 + " min";
  }
}
