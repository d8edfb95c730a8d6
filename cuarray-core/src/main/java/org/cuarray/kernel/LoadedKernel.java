package org.cuarray.kernel;

import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.DriverStatus;
import org.cuarray.driver.FunctionAttribute;

/** A kernel in one context, with what its device takes in a launch of it. Thread-safe. */
final class LoadedKernel {
  private final CudaDriver driver;
  private final LoadedModule module;
  private final String name;
  private final long function;
  private final ParameterLayout layout;
  private final int threadsPerBlock;
  private final int declaredShared;

  /** What a launch may ask for without asking for more first; grows. */
  private volatile int allowedShared;

  /** Asks for the properties of a function whose context is current. */
  LoadedKernel(CudaDriver driver, LoadedModule module, String name, long function) {
    this.driver = driver;
    this.module = module;
    this.name = name;
    this.function = function;
    this.layout = ParameterLayout.of(driver, function);
    this.threadsPerBlock = attribute(FunctionAttribute.MAX_THREADS_PER_BLOCK);
    this.declaredShared = attribute(FunctionAttribute.SHARED_SIZE_BYTES);
    this.allowedShared = attribute(FunctionAttribute.MAX_DYNAMIC_SHARED_SIZE_BYTES);
  }

  private int attribute(int attribute) {
    int[] value = new int[1];
    DriverStatus.check(
        driver.funcGetAttribute(value, attribute, function),
        "cuFuncGetAttribute",
        module.ordinal());
    return value[0];
  }

  LoadedModule module() {
    return module;
  }

  String name() {
    return name;
  }

  long function() {
    return function;
  }

  ParameterLayout layout() {
    return layout;
  }

  /**
   * Checks that the device takes a launch of the kernel, and lets the kernel have the shared memory
   * that it asks for.
   *
   * @throws IllegalArgumentException which shows both sides
   */
  void require(Geometry geometry) {
    DeviceLimits limits = module.limits();
    limits.require(geometry, name);
    if (geometry.threadsPerBlock() > threadsPerBlock) {
      throw new IllegalArgumentException(
          "kernel %s was given a %s, %d threads a block; its registers leave room for %d on cuda:%d"
              .formatted(
                  name, geometry, geometry.threadsPerBlock(), threadsPerBlock, limits.ordinal()));
    }
    if (geometry.sharedBytes() > limits.sharedBytes() - declaredShared) {
      throw new IllegalArgumentException(
          "kernel %s was given a %s, and declares %d bytes of shared memory itself; cuda:%d has %d"
                  .formatted(name, geometry, declaredShared, limits.ordinal(), limits.sharedBytes())
              + " a block");
    }
    if (geometry.sharedBytes() > allowedShared) {
      allowShared(geometry.sharedBytes());
    }
  }

  /** More than 48 KiB a block has to be asked for, once. */
  private void allowShared(int bytes) {
    module.whileLoaded(
        () -> {
          if (bytes > allowedShared) {
            KernelFailure.check(
                driver.funcSetAttribute(
                    function, FunctionAttribute.MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes),
                "cuFuncSetAttribute",
                module.ordinal(),
                "Kernel %s was to have %d bytes of shared memory a block".formatted(name, bytes));
            allowedShared = bytes;
          }
        });
  }
}
