package org.cuarray.kernel;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.cuarray.CuClosedException;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.memory.RuntimeMemory;
import org.cuarray.registry.DeviceContexts;
import org.cuarray.stream.AccessMode;
import org.cuarray.stream.History;
import org.cuarray.stream.HostWaits;
import org.cuarray.stream.Operation;

/**
 * A module in one context.
 *
 * <p>Its code is ordered like memory: a launch reads it, unloading writes it. So it is unloaded
 * after every launch that was submitted, and a launch under the lock of its history finds it either
 * loaded or closed. Thread-safe.
 */
final class LoadedModule {
  private static final int LOG_BYTES = 8192;

  private final CudaDriver driver;
  private final DeviceContexts contexts;
  private final int ordinal;
  private final long context;
  private final long handle;
  private final DeviceLimits limits;

  /** What it was loaded from, as a sentence without its end. */
  private final String origin;

  private final History history = new History(1);
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, LoadedKernel> kernels = new HashMap<>();
  private volatile boolean closed;

  private LoadedModule(
      CudaDriver driver, DeviceLimits limits, long context, long handle, String origin) {
    this.driver = driver;
    this.contexts = DeviceContexts.of(driver);
    this.ordinal = limits.ordinal();
    this.limits = limits;
    this.context = context;
    this.handle = handle;
    this.origin = origin;
  }

  /** Loads an image into a context of a device. */
  static LoadedModule load(CudaDriver driver, ModuleImage source, int ordinal, long context) {
    byte[] image = source.of(ordinal);
    DeviceLimits limits = DeviceLimits.of(driver, ordinal);
    byte[] log = new byte[LOG_BYTES];
    long[] handle = new long[1];
    DeviceContexts contexts = DeviceContexts.of(driver);
    int status;
    contexts.enter(context);
    try {
      status = driver.moduleLoadDataEx(handle, image, log);
    } finally {
      contexts.leave();
    }
    if (status != CudaError.SUCCESS) {
      throw KernelFailure.of(status, "cuModuleLoadDataEx", ordinal, detail(image, text(log)));
    }
    return new LoadedModule(driver, limits, context, handle[0], origin(image));
  }

  private static String origin(byte[] image) {
    return "The module is " + ImageKind.of(image) + " of " + image.length + " bytes";
  }

  private static String detail(byte[] image, String log) {
    return log.isBlank() ? origin(image) : origin(image) + ". The driver said: " + log.strip();
  }

  private static String text(byte[] log) {
    int length = 0;
    while (length < log.length && log[length] != 0) {
      length++;
    }
    return new String(log, 0, length, StandardCharsets.UTF_8);
  }

  int ordinal() {
    return ordinal;
  }

  long context() {
    return context;
  }

  DeviceLimits limits() {
    return limits;
  }

  /** The kernel of a name; asks the driver once. */
  LoadedKernel kernel(String name) {
    lock.lock();
    try {
      requireOpen();
      LoadedKernel known = kernels.get(name);
      if (known == null) {
        known = find(name);
        kernels.put(name, known);
      }
      return known;
    } finally {
      lock.unlock();
    }
  }

  private LoadedKernel find(String name) {
    long[] function = new long[1];
    contexts.enter(context);
    try {
      int status = driver.moduleGetFunction(function, handle, name);
      if (status == CudaError.NOT_FOUND) {
        throw KernelFailure.of(status, "cuModuleGetFunction", ordinal, notFound(name));
      }
      KernelFailure.check(status, "cuModuleGetFunction", ordinal, "Kernel " + name);
      // Left to the first launch, this could make that launch wait for the device, under the locks
      // of its arrays.
      KernelFailure.check(driver.funcLoad(function[0]), "cuFuncLoad", ordinal, "Kernel " + name);
      return new LoadedKernel(driver, this, name, function[0]);
    } finally {
      contexts.leave();
    }
  }

  /**
   * Does something with the module's code in its context, which does not end under it.
   *
   * @throws CuClosedException where the module was closed
   */
  void whileLoaded(Runnable action) {
    lock.lock();
    try {
      requireOpen();
      contexts.enter(context);
      try {
        action.run();
      } finally {
        contexts.leave();
      }
    } finally {
      lock.unlock();
    }
  }

  private String notFound(String name) {
    String missing = "%s and has no kernel named \"%s\"".formatted(origin, name);
    return driver.description().startsWith("simulated")
        ? missing
            + ": a simulated machine runs Java in place of CUDA code, so give it a body with"
            + " SimulatedDriver.builder().kernel(\""
            + name
            + "\", body)"
        : missing
            + ": a kernel that is not declared extern \"C\" goes by its mangled name, which"
            + " cuobjdump -symbols shows of a cubin or fatbin, and a line .entry in PTX";
  }

  // ---- in a step -------------------------------------------------------------------------------

  void touchedBy(Operation step) {
    step.touches(history, 0, 1, AccessMode.READ);
  }

  /** Exact, and true until the step ends, under the lock of the history. */
  void requireOpen() {
    if (closed) {
      throw new CuClosedException("the module was closed");
    }
  }

  // ---- the end ---------------------------------------------------------------------------------

  /** Unloads the module when every launch has completed. Does not wait, and throws nothing. */
  void close(RuntimeMemory memory) {
    history.whenLocked(() -> closed = true);
    memory.whenCompleted(launches(), this::unload);
  }

  private HostWaits launches() {
    Operation step = Operation.begin();
    try {
      int code = step.touches(history, 0, 1, AccessMode.WRITE);
      step.lock();
      step.after(code);
      return step.intoHostWaits();
    } finally {
      step.end();
    }
  }

  /**
   * Not under a call with its code that began before the module was closed; later ones are refused.
   */
  private void unload() {
    lock.lock();
    try {
      contexts.enter(context);
      try {
        int unused = driver.moduleUnload(handle);
      } finally {
        contexts.leave();
      }
    } catch (RuntimeException e) {
      // A context that was destroyed, or a lost device, has taken the module along.
      System.getLogger("org.cuarray")
          .log(System.Logger.Level.DEBUG, "a module's context was gone before it", e);
    } finally {
      lock.unlock();
    }
  }
}
