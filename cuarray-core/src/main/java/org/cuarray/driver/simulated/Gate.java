package org.cuarray.driver.simulated;

import static org.cuarray.driver.CudaError.INVALID_VALUE;
import static org.cuarray.driver.CudaError.NOT_INITIALIZED;
import static org.cuarray.driver.CudaError.SUCCESS;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What every driver call passes first: the machine's one lock, the faults that were ordered, and
 * the question whether {@code cuInit} was called.
 */
final class Gate {
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Long> calls = new HashMap<>(0);
  private @Nullable Map<String, Map<Long, Integer>> faults;
  private final Runnable onEntry;
  private boolean initialised;
  private String call = "";

  /**
   * A gate.
   *
   * @param onEntry runs with the lock held before each driver call does
   */
  Gate(List<Fault> faults, Runnable onEntry) {
    this.onEntry = onEntry;
    for (Fault fault : faults) {
      order(fault.call(), fault.nth(), fault.code());
    }
  }

  /**
   * Takes the lock, whatever it returns; {@link #leave} must follow.
   *
   * @return {@code SUCCESS} where the call may go on, else what it must return
   */
  int enter(String call) {
    int status = enterUninitialised(call);
    return status == SUCCESS && !initialised ? NOT_INITIALIZED : status;
  }

  /** The same for the calls that need no {@code cuInit}. */
  int enterUninitialised(String name) {
    lock.lock();
    call = name;
    onEntry.run();
    return faults == null ? SUCCESS : fault(faults, name);
  }

  /** Takes the lock for what is no driver call. */
  void enterAside(String name) {
    lock.lock();
    call = name;
  }

  /** With the lock held: what it is held for. */
  String call() {
    return call;
  }

  void leave() {
    lock.unlock();
  }

  /** {@code cuInit}, whose flags must be 0. */
  int initialise(int flags) {
    if (flags != 0) {
      return INVALID_VALUE;
    }
    initialised = true;
    return SUCCESS;
  }

  /** Orders a fault for the nth call of a kind from now. */
  void orderFromNow(Fault fault) {
    lock.lock();
    try {
      order(fault.call(), calls.getOrDefault(fault.call(), 0L) + fault.nth(), fault.code());
    } finally {
      lock.unlock();
    }
  }

  private void order(String call, long nth, int code) {
    if (faults == null) {
      faults = new HashMap<>();
    }
    faults.computeIfAbsent(call, name -> new HashMap<>()).put(nth, code);
  }

  private int fault(Map<String, Map<Long, Integer>> ordered, String call) {
    Map<Long, Integer> ofCall = ordered.get(call);
    if (ofCall == null) {
      return SUCCESS;
    }
    return ofCall.getOrDefault(calls.merge(call, 1L, Long::sum), SUCCESS);
  }
}
