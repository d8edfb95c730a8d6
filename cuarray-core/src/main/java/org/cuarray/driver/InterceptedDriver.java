package org.cuarray.driver;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * A {@link CudaDriver} whose every driver call passes through one {@link Interceptor}: the base of
 * the decorators that record, count or break calls. For tests and diagnosis, not for speed.
 */
public final class InterceptedDriver {
  /** Sees each driver call and decides what becomes of it. Called on the calling thread. */
  @FunctionalInterface
  public interface Interceptor {
    /**
     * Handles one driver call.
     *
     * @param call its name in the driver's words, such as {@code cuMemcpyPeerAsync}
     * @param arguments as given; arrays are the caller's own
     * @param proceed makes the real call and gives its status
     * @return the status that the caller sees
     */
    int intercept(String call, Object[] arguments, Proceed proceed);
  }

  /** The call itself. */
  @FunctionalInterface
  public interface Proceed {
    /**
     * Makes the call.
     *
     * @return its status
     */
    int call();
  }

  private InterceptedDriver() {}

  /**
   * Wraps a driver. Calls that return no status (descriptions, host buffers) pass by unseen.
   *
   * @param driver the driver that does the work
   * @param interceptor sees every call
   * @return a driver with a {@link ProcessState} of its own
   */
  public static CudaDriver around(CudaDriver driver, Interceptor interceptor) {
    ProcessState process = new ProcessState();
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          Object[] given = arguments == null ? new Object[0] : arguments;
          if (method.getDeclaringClass() == Object.class) {
            return ofObject(proxy, driver, method, given);
          }
          if (method.getName().equals("process")) {
            return process;
          }
          if (method.getReturnType() != int.class) {
            return invoke(driver, method, given);
          }
          return interceptor.intercept(
              "cu"
                  + Character.toUpperCase(method.getName().charAt(0))
                  + method.getName().substring(1),
              given,
              () -> (int) invoke(driver, method, given));
        };
    return (CudaDriver)
        Proxy.newProxyInstance(
            CudaDriver.class.getClassLoader(), new Class<?>[] {CudaDriver.class}, handler);
  }

  private static Object ofObject(Object proxy, CudaDriver driver, Method method, Object[] given) {
    return switch (method.getName()) {
      case "equals" -> proxy == given[0];
      case "hashCode" -> System.identityHashCode(proxy);
      default -> "intercepted " + driver.description();
    };
  }

  private static Object invoke(CudaDriver driver, Method method, Object[] arguments) {
    try {
      return method.invoke(driver, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException runtime) {
        throw runtime;
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw new IllegalStateException(e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
