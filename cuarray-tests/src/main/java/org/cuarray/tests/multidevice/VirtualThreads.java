package org.cuarray.tests.multidevice;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;

/** Virtual threads, asked for in a way that also compiles for Java 17, which has none. */
public final class VirtualThreads {
  private static final Optional<Method> START =
      Arrays.stream(Thread.class.getMethods())
          .filter(method -> method.getName().equals("startVirtualThread"))
          .findFirst();

  private VirtualThreads() {}

  /** Skips a test where there are none. */
  public static void require() {
    assumeTrue(START.isPresent(), () -> "no virtual threads in Java " + Runtime.version());
  }

  /**
   * Starts one.
   *
   * @param task what it runs
   * @return the thread
   */
  public static Thread start(Runnable task) {
    try {
      return (Thread) START.orElseThrow().invoke(null, task);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("no virtual thread was started", e);
    }
  }

  /**
   * The platform thread under the current virtual one, as the end of its name tells; the thread's
   * own name where it is not virtual.
   *
   * @return {@code ForkJoinPool-1-worker-1} and the like
   */
  public static String carrier() {
    String name = Thread.currentThread().toString();
    return name.substring(name.indexOf('@') + 1);
  }
}
