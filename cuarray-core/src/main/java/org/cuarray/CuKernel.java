package org.cuarray;

import java.lang.ref.Reference;
import java.util.Objects;
import org.cuarray.kernel.Arguments;
import org.cuarray.kernel.Kernel;
import org.jspecify.annotations.Nullable;

/**
 * A kernel of a module, to be launched on the device of its arrays.
 *
 * <pre>{@code
 * CuKernel saxpy = module.kernel("saxpy");
 * saxpy.launch(Launch.over(n), read(x), readWrite(y), float32(2), int64(n));
 * y.copyTo(z);   // comes after it
 * }</pre>
 *
 * <p>A launch returns when it is submitted. It comes after everything submitted before on the same
 * bytes that it conflicts with, and before everything after: so declare for each array what the
 * kernel does to it. Launches of one device share a stream unless they are given one. Thread-safe.
 */
public final class CuKernel {
  private final CuModule module;
  private final Kernel kernel;

  CuKernel(CuModule module, Kernel kernel) {
    this.module = module;
    this.kernel = kernel;
  }

  /**
   * Its name in the code of its module.
   *
   * @return as it was asked for
   */
  public String name() {
    return kernel.name();
  }

  /**
   * The module that it belongs to.
   *
   * @return the module, which ends the kernel's use when it is closed
   */
  public CuModule module() {
    return module;
  }

  /**
   * Launches the kernel on the device of its arrays. The first launch on a device loads the module
   * there, and may take long.
   *
   * @param launch how many threads; of nothing where the grid is empty
   * @param arguments one for each parameter, in order, of its size; one array at least
   * @throws IllegalArgumentException where the arrays are on different devices or of another
   *     runtime, the arguments don't fit the kernel's parameters, or the device or the kernel does
   *     not take so large a launch; nothing was launched
   * @throws CuClosedException where the module or an array was closed
   * @throws CuDriverException where the driver refuses the module, has no such kernel in it or
   *     refuses the launch; for the last, the elements of written arrays are undefined
   */
  public void launch(Launch launch, KernelArg... arguments) {
    Objects.requireNonNull(launch, "launch");
    module.requireOpen();
    Arguments gathered = Arguments.ofThread();
    try {
      CuDevice device = gather(arguments, gathered, null);
      if (device == null) {
        throw new IllegalArgumentException(
            "kernel %s was given no array, so no device to run on; launch it on a stream"
                .formatted(kernel.name()));
      }
      runtime().launcher().launch(kernel, launch.geometry(), gathered, device.ordinal());
    } finally {
      gathered.clear();
      Reference.reachabilityFence(arguments);
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Launches the kernel on a stream: after what was submitted to the stream before, too.
   *
   * @param stream on the device of the arrays
   * @param launch how many threads; of nothing where the grid is empty
   * @param arguments one for each parameter, in order, of its size
   * @throws IllegalArgumentException as {@link #launch(Launch, KernelArg...)}, and where an array
   *     is not on the stream's device
   * @throws IllegalStateException where the stream is capturing
   * @throws CuClosedException where the module, the stream or an array was closed
   * @throws CuDriverException as {@link #launch(Launch, KernelArg...)}
   */
  public void launch(CuStream stream, Launch launch, KernelArg... arguments) {
    Objects.requireNonNull(launch, "launch");
    module.requireOpen();
    Arguments gathered = Arguments.ofThread();
    try {
      gather(arguments, gathered, stream);
      runtime().launcher().launch(kernel, launch.geometry(), gathered, stream.ordered());
    } finally {
      gathered.clear();
      Reference.reachabilityFence(arguments);
      Reference.reachabilityFence(stream);
      Reference.reachabilityFence(this);
    }
  }

  private CuRuntime runtime() {
    return module.runtime();
  }

  /** Checks the arguments and collects them; gives the device of the arrays, if there are any. */
  private @Nullable CuDevice gather(
      KernelArg[] arguments, Arguments gathered, @Nullable CuStream stream) {
    if (stream != null) {
      requireOwn(stream.device(), stream);
    }
    CuArray<?> first = null;
    for (int i = 0; i < arguments.length; i++) {
      KernelArg argument = arguments[i];
      if (argument instanceof Access access) {
        CuArray<?> array = access.array();
        requireOwn(array.device(), array);
        if (stream != null && !array.device().equals(stream.device())) {
          throw new IllegalArgumentException(
              "kernel %s was launched on %s and given %s".formatted(kernel.name(), stream, array));
        }
        if (first == null) {
          first = array;
        } else if (!array.device().equals(first.device())) {
          throw new IllegalArgumentException(
              "kernel %s runs on one device, and was given %s and %s; copy one of them over first"
                  .formatted(kernel.name(), first, array));
        }
        gathered.add(access, array.region(), access.mode());
      } else if (argument instanceof ScalarArg scalar) {
        gathered.add(scalar, scalar.bytes(), scalar.low(), scalar.high());
      } else {
        throw new NullPointerException(
            "argument %d of kernel %s is null".formatted(i, kernel.name()));
      }
    }
    return first == null ? null : first.device();
  }

  private void requireOwn(CuDevice device, Object user) {
    if (device.runtime() != runtime()) {
      throw new IllegalArgumentException(
          "%s belongs to another runtime than the module of kernel %s"
              .formatted(user, kernel.name()));
    }
  }

  @Override
  public String toString() {
    return "kernel " + kernel.name();
  }
}
