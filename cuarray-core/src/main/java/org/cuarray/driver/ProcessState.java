package org.cuarray.driver;

import com.google.common.collect.MutableClassToInstanceMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * What a process remembers about one driver, one object of each class.
 *
 * <p>It hangs on the driver and dies with it, so that a thousand simulated machines in one test run
 * leave nothing behind. Thread-safe.
 */
public final class ProcessState {
  private final ReentrantLock lock = new ReentrantLock();
  private final MutableClassToInstanceMap<Object> instances = MutableClassToInstanceMap.create();

  /** Creates an empty one; a driver keeps exactly one. */
  public ProcessState() {}

  /**
   * The one instance of {@code type}, created at the first request.
   *
   * @param <T> what is remembered
   * @param type its class
   * @param create makes it, at most once; it may ask for other types in turn
   * @return the same instance for every caller
   */
  public <T> T get(Class<T> type, Supplier<? extends T> create) {
    lock.lock();
    try {
      T instance = instances.getInstance(type);
      if (instance == null) {
        instance = create.get();
        instances.putInstance(type, instance);
      }
      return instance;
    } finally {
      lock.unlock();
    }
  }
}
