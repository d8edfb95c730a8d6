package org.cuarray.driver.simulated;

/** A kernel to be run. */
final class Launched extends Work {
  private final KernelLaunch launch;

  Launched(Stream stream, KernelLaunch launch) {
    super(stream);
    this.launch = launch;
  }

  @Override
  boolean advance() {
    if (!stream.device().lost) {
      // What it met is for whoever asks the device next.
      int unused = launch.run();
    }
    return true;
  }
}
