package org.cuarray.tests.faults;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.InterceptedDriver;
import org.jspecify.annotations.Nullable;

/** A driver to one of whose calls something happens, to the nth while it is armed. Thread-safe. */
final class FaultyDriver {
  /** Neither sticky nor a sign of too little memory. */
  static final int CODE = CudaError.NOT_PERMITTED;

  private static final List<String> ALLOCATIONS =
      List.of("cuMemAlloc", "cuMemAllocFromPoolAsync", "cuMemHostAlloc", "cuHostMalloc");

  /**
   * What happened.
   *
   * @param call in the driver's words
   * @param code what it returned; 0 where it was made
   */
  record Fault(String call, int code) {}

  /** What happens to the nth call. */
  @FunctionalInterface
  interface Effect {
    /** Gives what the call returns in place of being made; 0 where it is made. */
    int happen(String call);
  }

  /** The call fails, and the device is as it was. */
  static final Effect REFUSAL = call -> ALLOCATIONS.contains(call) ? CudaError.OUT_OF_MEMORY : CODE;

  private final ReentrantLock lock = new ReentrantLock();
  private final CudaDriver driver;
  private final Effect effect;
  private boolean armed;
  private long left;
  private @Nullable Fault fault;

  FaultyDriver(CudaDriver faultless, Effect effect) {
    this.effect = effect;
    driver =
        InterceptedDriver.around(
            faultless,
            (call, arguments, proceed) -> {
              int code = next(call);
              return code == CudaError.SUCCESS ? proceed.call() : code;
            });
  }

  CudaDriver driver() {
    return driver;
  }

  private int next(String call) {
    lock.lock();
    try {
      if (!armed || --left != 0) {
        return CudaError.SUCCESS;
      }
      fault = new Fault(call, effect.happen(call));
      return fault.code();
    } finally {
      lock.unlock();
    }
  }

  /** From now on counts calls, to the nth of which it happens. */
  void arm(long nth) {
    lock.lock();
    try {
      armed = true;
      left = nth;
      fault = null;
    } finally {
      lock.unlock();
    }
  }

  /** Nothing happens any more; gives what did, null where there were too few calls. */
  @Nullable Fault disarm() {
    lock.lock();
    try {
      armed = false;
      return fault;
    } finally {
      lock.unlock();
    }
  }
}
