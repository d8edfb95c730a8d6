package org.cuarray.tests.cli;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.function.Supplier;
import org.cuarray.CuUnavailableException;
import org.cuarray.cli.Drivers;
import org.cuarray.driver.CudaDriver;

/** Drivers for a command under test: one by any name, or none. */
final class TestDrivers {
  static final String NO_DRIVER =
      "there is no NVIDIA driver: its library libcuda.so.1 did not load. Install the NVIDIA driver.";

  private TestDrivers() {}

  /** Whatever is asked for, it is this one. */
  static Drivers only(CudaDriver driver) {
    return new Drivers() {
      @Override
      public Optional<String> cudaUnavailableReason() {
        return Optional.empty();
      }

      @Override
      public CudaDriver named(String name) {
        return driver;
      }
    };
  }

  /** A machine without a CUDA driver. */
  static Drivers withoutCuda() {
    return new Drivers() {
      @Override
      public Optional<String> cudaUnavailableReason() {
        return Optional.of(NO_DRIVER);
      }

      @Override
      public CudaDriver named(String name) {
        if (name.equals(CUDA)) {
          throw new CuUnavailableException(NO_DRIVER);
        }
        return Drivers.ofProcess().named(name);
      }
    };
  }

  /** Drivers whose opening goes wrong. */
  static Drivers failing(Supplier<? extends RuntimeException> failure) {
    return new Drivers() {
      @Override
      public Optional<String> cudaUnavailableReason() {
        return Optional.empty();
      }

      @Override
      public CudaDriver named(String name) {
        throw failure.get();
      }
    };
  }

  /** The same driver under the real one's name. */
  static CudaDriver calledCuda(CudaDriver driver) {
    return (CudaDriver)
        Proxy.newProxyInstance(
            CudaDriver.class.getClassLoader(),
            new Class<?>[] {CudaDriver.class},
            (proxy, method, arguments) -> {
              try {
                return method.getName().equals("description")
                    ? "cuda"
                    : method.invoke(driver, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
