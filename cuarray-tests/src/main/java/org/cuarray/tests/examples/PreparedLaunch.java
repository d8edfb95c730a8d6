package org.cuarray.tests.examples;

import org.cuarray.CuKernel;
import org.cuarray.KernelArg;
import org.cuarray.Launch;

/** A launch with all its arguments, to be made again and again. */
final class PreparedLaunch {
  private final CuKernel kernel;
  private final Launch size;
  private final KernelArg[] arguments;

  PreparedLaunch(CuKernel kernel, Launch size, KernelArg... arguments) {
    this.kernel = kernel;
    this.size = size;
    this.arguments = arguments;
  }

  /** Submits it; waits for nothing. */
  void launch() {
    kernel.launch(size, arguments);
  }
}
