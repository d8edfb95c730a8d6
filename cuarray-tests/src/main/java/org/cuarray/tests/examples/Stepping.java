package org.cuarray.tests.examples;

import java.util.List;

/** Which threads of the host submit the steps. */
interface Stepping extends AutoCloseable {
  /** Submits steps of all slabs. */
  void run(List<Slab> slabs, int steps);

  @Override
  default void close() {}

  /** The calling thread submits everything. */
  static Stepping byOneThread() {
    return (slabs, steps) -> {
      for (int i = 0; i < steps; i++) {
        for (Slab slab : slabs) {
          slab.step();
        }
      }
    };
  }
}
