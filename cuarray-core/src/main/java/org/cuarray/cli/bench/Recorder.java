package org.cuarray.cli.bench;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Runs measurements one after the other and keeps what they give. */
final class Recorder {
  private final Watcher watcher;
  private final int all;
  private final Set<Subject> done = new HashSet<>();
  private final List<Figure> figures = new ArrayList<>();
  private final List<Skipped> skipped = new ArrayList<>();

  Recorder(Watcher watcher, int all) {
    this.watcher = watcher;
    this.all = all;
  }

  /** Measures the ways in turn. */
  void measure(Subject subject, Pace pace, Way... ways) {
    watcher.beforeStep(done.size(), all);
    List<Way> inTurn = List.of(ways);
    List<double[]> samples = Interleaved.measure(pace, inTurn);
    List<Figure> measured = new ArrayList<>();
    for (int way = 0; way < ways.length; way++) {
      measured.add(subject.figure(inTurn.get(way).who(), summary(subject, samples.get(way))));
    }
    done.add(subject);
    figures.addAll(measured);
    watcher.measured(subject, measured);
  }

  private static Summary summary(Subject subject, double[] samples) {
    double[] inUnit = new double[samples.length];
    for (int i = 0; i < samples.length; i++) {
      inUnit[i] = subject.unit().of(samples[i], subject.bytes());
    }
    return Summary.of(inUnit);
  }

  /** Says why what is left of some subjects can't be measured. */
  void skipRest(List<Subject> subjects, String why) {
    List<Subject> rest = subjects.stream().filter(subject -> !done.contains(subject)).toList();
    if (rest.isEmpty()) {
      return;
    }
    done.addAll(rest);
    Subject first = rest.get(0);
    String what = first.work() + ", " + first.devices();
    Skipped told =
        new Skipped(
            first.row().rowName(),
            rest.size() == 1 ? what : what + ", and " + (rest.size() - 1) + " more",
            why);
    skipped.add(told);
    watcher.skipped(told);
  }

  List<Figure> figures() {
    return figures;
  }

  List<Skipped> skipped() {
    return skipped;
  }
}
