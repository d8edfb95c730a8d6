package org.cuarray.kernel;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.cuarray.stream.OrderedStream;
import org.jspecify.annotations.Nullable;

/** A kernel of a module by its name, on whichever device. Thread-safe. */
public final class Kernel {
  private final KernelModule module;
  private final String name;

  /** By device: the kernel in the context in which it was launched last. */
  private final AtomicReferenceArray<@Nullable LoadedKernel> latest;

  Kernel(KernelModule module, String name, int devices) {
    this.module = module;
    this.name = name;
    this.latest = new AtomicReferenceArray<>(devices);
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** Its module. */
  public KernelModule module() {
    return module;
  }

  /** The kernel where a stream can launch it; loads the module there at the first request. */
  LoadedKernel on(OrderedStream stream) {
    LoadedKernel known = latest.get(stream.ordinal());
    if (known != null && known.module().context() == stream.context()) {
      return known;
    }
    LoadedKernel loaded = module.on(stream).kernel(name);
    latest.set(stream.ordinal(), loaded);
    return loaded;
  }
}
