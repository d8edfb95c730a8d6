package org.cuarray;

import java.lang.ref.Cleaner;
import java.util.Objects;
import org.cuarray.kernel.CompiledSource;
import org.cuarray.kernel.FixedImage;
import org.cuarray.kernel.KernelModule;
import org.cuarray.kernel.ModuleImage;

/**
 * Code for devices, and the kernels in it. It is loaded onto a device once, when a kernel of it is
 * first launched there.
 *
 * <p>Thread-safe.
 */
public final class CuModule implements AutoCloseable {
  private final CuRuntime runtime;
  private final KernelModule module;
  private final Cleaner.Cleanable watch;

  private CuModule(CuRuntime runtime, ModuleImage image) {
    this.runtime = runtime;
    this.module = new KernelModule(runtime.driver(), image, runtime.memory());
    this.watch = runtime.watch(this, module, "a module of kernels");
  }

  static CuModule load(CuRuntime runtime, byte[] ptxCubinOrFatbin) {
    return new CuModule(runtime, new FixedImage(ptxCubinOrFatbin));
  }

  /** Compiles at once for the first device, so that a source that is wrong is found here. */
  static CuModule compile(CuRuntime runtime, String source, String... options) {
    CompiledSource image = new CompiledSource(runtime.driver(), source, options);
    image.of(0);
    return new CuModule(runtime, image);
  }

  /**
   * A kernel of this module. Whether there is one of that name is found out at its first launch on
   * a device, since a module that is loaded nowhere can't be asked.
   *
   * @param name as it stands in the code: mangled, unless it was declared {@code extern "C"}
   * @return the kernel
   * @throws CuClosedException where the module was closed
   */
  public CuKernel kernel(String name) {
    Objects.requireNonNull(name, "name");
    requireOpen();
    return new CuKernel(this, module.kernel(name));
  }

  /**
   * Unloads the module from every device, once the launches that were submitted have completed.
   * Idempotent; does not wait; throws nothing.
   */
  @Override
  public void close() {
    module.close();
    watch.clean();
  }

  /**
   * Whether {@link #close} was called.
   *
   * @return true from then on
   */
  public boolean isClosed() {
    return module.isClosed();
  }

  CuRuntime runtime() {
    return runtime;
  }

  void requireOpen() {
    runtime.requireOpen();
    module.requireOpen();
  }
}
