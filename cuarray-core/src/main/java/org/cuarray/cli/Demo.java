package org.cuarray.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.cuarray.CopyStrategy;
import org.cuarray.LinkState;
import org.cuarray.cli.CopyTrial.Outcome;
import org.cuarray.cli.Table.Column;

/** Copies between all devices in all kinds of memory, and a table of what came of them. */
final class Demo {
  private static final int TIMED_COPIES = 10;
  private static final String NOTHING = "–";

  private final Machine machine;
  private final ByteSize size;
  private final long seed;
  private final PrintWriter out;
  private final Table table;

  Demo(Machine machine, ByteSize size, long seed, PrintWriter out) {
    this.machine = machine;
    this.size = size;
    this.seed = seed;
    this.out = out;
    this.table =
        new Table(
            out,
            Column.of("from", machine.deviceNames()),
            Column.of("to", machine.deviceNames()),
            Column.of("memory", "classic → classic"),
            Column.of("strategy", Words.ofAll(CopyStrategy.values())),
            Column.of("size", size.toString()),
            Column.ofNumbers("GB/s", "99999.9"),
            Column.of("link", Words.ofAll(LinkState.values())),
            Column.of("bytes", "right"));
  }

  /**
   * Runs all copies.
   *
   * @return whether every byte was right
   */
  boolean run(Progress progress) {
    List<Transfer> transfers = Transfer.all(machine.cuda());
    SplittableRandom seeds = new SplittableRandom(seed);
    CopyTrial trial = new CopyTrial(machine.cuda(), size, machine.isSimulated() ? 0 : TIMED_COPIES);
    int right = 0;
    out.printf(
        "%s, %s: %d copies of %s, seed %d%n%n",
        machine.driver(), machine.size(), transfers.size(), size, seed);
    table.header();
    for (int i = 0; i < transfers.size(); i++) {
      progress.show(i, transfers.size());
      Outcome outcome = trial.run(transfers.get(i), new RandomContents(seeds.nextLong()));
      progress.clear();
      row(transfers.get(i), outcome);
      right += outcome.isRight() ? 1 : 0;
    }
    sumUp(right, transfers.size());
    return right == transfers.size();
  }

  private void row(Transfer transfer, Outcome outcome) {
    table.row(
        transfer.from().device().toString(),
        transfer.to().device().toString(),
        transfer.memory(),
        outcome.strategy().map(Words::of).orElse(NOTHING),
        size.toString(),
        outcome.gigabytesPerSecond().isPresent()
            ? String.format(Locale.ROOT, "%.1f", outcome.gigabytesPerSecond().getAsDouble())
            : NOTHING,
        outcome.link().map(Words::of).orElse(NOTHING),
        outcome.fault().orElse("right"));
  }

  private void sumUp(int right, int all) {
    out.println();
    if (right == all) {
      out.printf("Every byte of all %d copies was right (seed %d).%n", all, seed);
    } else {
      out.printf(
          "%d OF %d COPIES FAILED OR DELIVERED WRONG BYTES (seed %d).%n", all - right, all, seed);
    }
  }
}
