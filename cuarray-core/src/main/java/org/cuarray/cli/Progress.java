package org.cuarray.cli;

/** Shows how far something has come. */
interface Progress {
  /** Shows nothing. */
  Progress NONE =
      new Progress() {
        @Override
        public void show(int done, int all) {}

        @Override
        public void clear() {}
      };

  /** Some of all steps are done, and the next begins. */
  void show(int done, int all);

  /** Something else is about to be printed. */
  void clear();
}
