package org.cuarray.tests.multidevice;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.InterceptedDriver;

/**
 * Sees to it that a thread that has pushed a context stays on its carrier until it has popped it: a
 * current context belongs to the carrier, so a virtual thread that moved would leave it behind, to
 * be met by others.
 */
public final class CarrierWatch {
  private static final ThreadLocal<Deque<String>> PUSHED = ThreadLocal.withInitial(ArrayDeque::new);

  private final List<String> moves = new CopyOnWriteArrayList<>();
  private final CudaDriver driver;

  /**
   * Wraps a driver.
   *
   * @param watched does the work
   */
  public CarrierWatch(CudaDriver watched) {
    driver =
        InterceptedDriver.around(
            watched,
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
