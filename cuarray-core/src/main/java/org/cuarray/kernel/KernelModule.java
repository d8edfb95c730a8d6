package org.cuarray.kernel;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.cuarray.CuClosedException;
import org.cuarray.driver.CudaDriver;
import org.cuarray.memory.RuntimeMemory;
import org.cuarray.registry.DeviceContexts;
import org.cuarray.stream.OrderedStream;
import org.cuarray.stream.Releasable;

/**
 * Code, loaded into the context of each device when a kernel of it is first launched there.
 * Thread-safe.
 */
public final class KernelModule implements Releasable {
  private final CudaDriver driver;
  private final ModuleImage image;
  private final RuntimeMemory memory;
  private final int devices;
  private final ReentrantLock lock = new ReentrantLock();

  /** By context. */
  private final Map<Long, LoadedModule> loaded = new HashMap<>();

  private volatile boolean closed;

  /** A module that is loaded nowhere yet. */
  public KernelModule(CudaDriver driver, ModuleImage image, RuntimeMemory memory) {
    this.driver = driver;
    this.image = image;
    this.memory = memory;
    this.devices = DeviceContexts.of(driver).count();
  }

  /** A kernel by its name, which is looked for when it is first launched. */
  public Kernel kernel(String name) {
    return new Kernel(this, name, devices);
  }

  /** Where a launch on a stream finds the module. Blocks while it is loaded. */
  LoadedModule on(OrderedStream stream) {
    lock.lock();
    try {
      requireOpen();
      LoadedModule known = loaded.get(stream.context());
      if (known == null) {
        known = LoadedModule.load(driver, image, stream.ordinal(), stream.context());
        loaded.put(stream.context(), known);
      }
      return known;
    } finally {
      lock.unlock();
    }
  }

  /** Throws where {@link #close} was called. */
  public void requireOpen() {
    if (closed) {
      throw new CuClosedException("the module was closed");
    }
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  /** Unloads it everywhere once every launch has completed. Does not wait. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      loaded.values().forEach(module -> module.close(memory));
      loaded.clear();
    } finally {
      lock.unlock();
    }
  }
}
