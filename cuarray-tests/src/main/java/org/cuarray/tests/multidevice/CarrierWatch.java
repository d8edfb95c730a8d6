package org.cuarray.tests.multidevice;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.InterceptedDriver;

/**
 * Sees whether a thread that has pushed a context stays on its carrier until it has popped it: a
 * current context belongs to the carrier, so a virtual thread that moved would leave it behind, to
 * be met by others.
 *
 * <p>A call keeps its carrier, as native code does: calls take turns without parking, so that a
 * simulated machine, which has a lock, never parks one.
 */
public final class CarrierWatch {
  private static final ThreadLocal<Deque<String>> PUSHED = ThreadLocal.withInitial(ArrayDeque::new);

  private final AtomicBoolean calling = new AtomicBoolean();
  private final List<String> moves = new CopyOnWriteArrayList<>();
  private final CudaDriver driver;

  /**
   * Wraps a driver.
   *
   * @param watched does the work; used through this alone
   */
  public CarrierWatch(CudaDriver watched) {
    driver =
        InterceptedDriver.around(
            withoutParking(watched),
            (call, arguments, proceed) -> {
              check(call);
              int status = proceed.call();
              if (status == CudaError.SUCCESS && call.equals("cuCtxPushCurrent")) {
                PUSHED.get().push(VirtualThreads.carrier());
              } else if (status == CudaError.SUCCESS && call.equals("cuCtxPopCurrent")) {
                PUSHED.get().pop();
              }
              return status;
            });
  }

  private CudaDriver withoutParking(CudaDriver watched) {
    return (CudaDriver)
        Proxy.newProxyInstance(
            CudaDriver.class.getClassLoader(),
            new Class<?>[] {CudaDriver.class},
            (proxy, method, arguments) -> inTurn(watched, method, arguments));
  }

  private Object inTurn(CudaDriver watched, Method method, Object[] arguments) throws Throwable {
    while (!calling.compareAndSet(false, true)) {
      Thread.onSpinWait();
    }
    try {
      return method.invoke(watched, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    } finally {
      calling.set(false);
    }
  }

  private void check(String call) {
    String before = PUSHED.get().peek();
    String now = VirtualThreads.carrier();
    if (before != null && !before.equals(now)) {
      moves.add(call + " on " + now + ", with a context pushed on " + before);
    }
  }

  /**
   * The driver to use in place of the wrapped one.
   *
   * @return always the same object
   */
  public CudaDriver driver() {
    return driver;
  }

  /**
   * What was seen of threads that moved.
   *
   * @return a copy; empty where none did
   */
  public List<String> moves() {
    return List.copyOf(moves);
  }
}
