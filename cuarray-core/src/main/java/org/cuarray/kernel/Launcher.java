package org.cuarray.kernel;

import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.stream.Operation;
import org.cuarray.stream.OrderedStream;
import org.cuarray.stream.StreamPolicy;
import org.cuarray.stream.StreamPolicy.Lane;

/** Launches kernels, each as one step in the order of the arrays that it is given. */
public final class Launcher {

  private final CudaDriver driver;
  private final StreamPolicy streams;

  /** The launches of one runtime. */
  public Launcher(CudaDriver driver, StreamPolicy streams) {
    this.driver = driver;
    this.streams = streams;
  }

  /**
   * Launches a kernel on a device's own stream for compute.
   *
   * @param ordinal the device of all arrays among the arguments
   */
  public void launch(Kernel kernel, Geometry geometry, Arguments arguments, int ordinal) {
    if (requiresWork(kernel, geometry)) {
      submit(kernel, geometry, arguments, streams.lane(ordinal, Lane.COMPUTE));
    }
  }

  /**
   * Launches a kernel on a given stream.
   *
   * @param stream on the device of all arrays among the arguments
   * @throws IllegalStateException where the stream is capturing: what is ordered here would become
   *     part of the user's graph
   */
  public void launch(Kernel kernel, Geometry geometry, Arguments arguments, OrderedStream stream) {
    if (requiresWork(kernel, geometry)) {
      requireNotCapturing(stream);
      submit(kernel, geometry, arguments, stream);
    }
  }

  private static boolean requiresWork(Kernel kernel, Geometry geometry) {
    kernel.module().requireOpen();
    return !geometry.isEmpty();
  }

  private void submit(Kernel kernel, Geometry geometry, Arguments arguments, OrderedStream stream) {
    LoadedKernel loaded = kernel.on(stream);
    loaded.require(geometry);
    int bytes = arguments.pack(loaded);
    Operation step = Operation.begin();
    try {
      loaded.module().touchedBy(step);
      arguments.touchedBy(step);
      step.lock();
      loaded.module().requireOpen();
      arguments.requireOpen();
      arguments.after(step);
      step.enterLast(stream, arguments.firstSubject(), arguments.otherSubjects());
      int status = call(loaded.function(), geometry, stream.handle(), arguments.packed(), bytes);
      step.leave();
      if (status != CudaError.SUCCESS) {
        throw KernelFailure.of(
            status,
            "cuLaunchKernel",
            stream.ordinal(),
            "Kernel %s, %s, arguments %s".formatted(kernel.name(), geometry, arguments));
      }
    } finally {
      step.end();
    }
  }

  /** The grid fits into ints, since the device takes it. */
  private int call(long function, Geometry geometry, long stream, byte[] parameters, int bytes) {
    return driver.launchKernel(
        function,
        (int) geometry.gridX(),
        (int) geometry.gridY(),
        (int) geometry.gridZ(),
        geometry.blockX(),
        geometry.blockY(),
        geometry.blockZ(),
        geometry.sharedBytes(),
        stream,
        parameters,
        bytes);
  }

  private static void requireNotCapturing(OrderedStream stream) {
    if (stream.isCapturing()) {
      throw new IllegalStateException(
          stream + " is capturing a graph; end the capture before launching kernels on it");
    }
  }
}
