package org.cuarray.driver.javacpp;

import java.util.Optional;
import org.cuarray.CuUnavailableException;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.ProcessState;
import org.cuarray.driver.ShutdownGate;

/**
 * The real CUDA driver, called through the JavaCPP presets for CUDA.
 *
 * <p>A process has at most one, because it has one driver. The first use loads the bindings, starts
 * the driver ({@code cuInit}) and creates no context; where that fails, no static initialiser does,
 * and every later use says why in the same words. It needs an NVIDIA driver of version 570 (CUDA
 * 12.8) or newer and {@code libcudart.so.13}, of CUDA toolkit 13 or of {@code
 * org.bytedeco:cuda-redist}.
 *
 * <p>Loading sets the property {@code org.bytedeco.javacpp.maxPhysicalBytes} to 0 where it isn't
 * set: pinned memory would trip JavaCPP's limit on the memory of the process.
 *
 * <p>When the JVM shuts down, calls are turned away with {@code CUDA_ERROR_DEINITIALIZED}, see
 * {@link ShutdownGate}.
 *
 * <p>Thread-safe, virtual threads included. Copies, fills, launches, events, waits, the current
 * context, queries and allocations allocate nothing on the Java heap. A virtual thread stays on its
 * carrier for as long as a call takes, {@code streamSynchronize} and {@code eventSynchronize}
 * included.
 *
 * <p>The calls stand by noun in the interfaces of this package.
 */
public final class JavaCppDriver
    implements DeviceCalls,
        ContextCalls,
        MemoryCalls,
        PoolCalls,
        CopyCalls,
        StreamCalls,
        KernelCalls {
  private final ProcessState process = new ProcessState();

  JavaCppDriver() {}

  /**
   * The process's only real driver, started.
   *
   * @return always the same object
   * @throws CuUnavailableException where there is none, with {@link #unavailableReason}
   */
  public static CudaDriver instance() {
    Startup startup = Startup.ofProcess();
    CudaDriver driver = startup.driver();
    if (driver != null && startup.reason().isEmpty()) {
      return driver;
    }
    Throwable cause = startup.cause();
    throw cause == null
        ? new CuUnavailableException(startup.reason())
        : new CuUnavailableException(startup.reason(), cause);
  }

  /**
   * Why there is no real driver, and how to get one.
   *
   * @return one paragraph, the same at every call; empty where {@link #instance} gives a driver
   */
  public static Optional<String> unavailableReason() {
    return Optional.of(Startup.ofProcess().reason()).filter(reason -> !reason.isEmpty());
  }

  @Override
  public ProcessState process() {
    return process;
  }

  @Override
  public String description() {
    return "cuda";
  }
}
