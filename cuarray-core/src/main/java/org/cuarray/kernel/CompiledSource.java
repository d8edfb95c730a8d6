package org.cuarray.kernel;

import com.google.common.collect.ImmutableList;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.DeviceAttribute;

/** CUDA C++, compiled once for each architecture among the devices that ask. */
public final class CompiledSource implements ModuleImage {
  private final CudaDriver driver;
  private final String source;
  private final ImmutableList<String> options;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Integer, byte[]> compiled = new HashMap<>();

  /** A source that is compiled when it is first asked for. */
  public CompiledSource(CudaDriver driver, String source, String... options) {
    this.driver = driver;
    this.source = Objects.requireNonNull(source, "source");
    this.options = ImmutableList.copyOf(options);
  }

  @Override
  public byte[] of(int ordinal) {
    int architecture =
        10 * DeviceLimits.attribute(driver, ordinal, DeviceAttribute.COMPUTE_CAPABILITY_MAJOR)
            + DeviceLimits.attribute(driver, ordinal, DeviceAttribute.COMPUTE_CAPABILITY_MINOR);
    lock.lock();
    try {
      byte[] image = compiled.get(architecture);
      if (image == null) {
        image = driver.compiler().compile(source, architecture, options);
        compiled.put(architecture, image);
      }
      return image;
    } finally {
      lock.unlock();
    }
  }
}
