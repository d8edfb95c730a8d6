package org.cuarray.cli.bench;

import java.util.List;

/** Measurements that share their arrays. */
interface Work {
  /** What it measures, in order. */
  List<Subject> subjects();

  /** Measures, and gives every figure to the recorder. */
  void run(Recorder recorder);
}
