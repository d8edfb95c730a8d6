package org.cuarray.cli.bench;

/**
 * One of several ways of doing the same thing.
 *
 * @param who does it
 * @param sampler does it, and takes the time
 */
record Way(String who, Sampler sampler) {

  /** Takes samples. */
  @FunctionalInterface
  interface Sampler {
    /**
     * Takes one.
     *
     * @return nanoseconds, or whatever else is counted, for one piece of work
     */
    double sample();
  }

  static Way ofCuarray(Sampler sampler) {
    return new Way(Figure.CUARRAY, sampler);
  }
}
