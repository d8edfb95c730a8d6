package org.cuarray.driver;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets driver calls through until the JVM shuts down, and none after.
 *
 * <p>At the end of a process the CUDA driver tears itself down while daemon threads run on, and a
 * thread inside it then may crash or block the exit. So a shutdown hook closes the gate, which
 * turns callers away without blocking them, and gives the calls in progress a moment to come out.
 * Thread-safe.
 */
public final class ShutdownGate {
  /**
   * A submission takes microseconds. What takes longer waits for a device, and may do so for ever.
   */
  private static final Duration BOUND = Duration.ofSeconds(2);

  private static final long POLL_NANOS = 100_000;

  /** Made, and its hook registered, when first asked for. */
  private static final class OfProcess {
    private static final ShutdownGate GATE = create();

    private static ShutdownGate create() {
      ShutdownGate gate = new ShutdownGate();
      try {
        Runtime.getRuntime()
            .addShutdownHook(new Thread(() -> gate.close(BOUND), "cuarray-shutdown"));
      } catch (IllegalStateException e) {
        gate.close(Duration.ZERO); // the shutdown has begun already
      }
      return gate;
    }
  }

  private final LongAdder entered = new LongAdder();
  private final LongAdder left = new LongAdder();
  private volatile boolean closed;

  /** An open gate that nothing closes by itself. */
  public ShutdownGate() {}

  /**
   * The gate that the JVM's shutdown closes.
   *
   * @return always the same
   */
  public static ShutdownGate ofProcess() {
    return OfProcess.GATE;
  }

  /**
   * Asks to pass; {@link #leave} must follow, unless the answer is no.
   *
   * @return false where the gate is closed
   */
  boolean enter() {
    entered.increment();
    if (closed) {
      left.increment();
      return false;
    }
    return true;
  }

  void leave() {
    left.increment();
  }

  /**
   * Turns callers away from now on, and waits for those that have passed.
   *
   * @param bound how long to wait at most
   * @return false where a call was still in progress after that
   */
  public boolean close(Duration bound) {
    closed = true;
    long deadline = System.nanoTime() + bound.toNanos();
    while (isInUse()) {
      if (System.nanoTime() - deadline >= 0) {
        return false;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    return true;
  }

  /**
   * Those that left are counted first: a call that entered meanwhile can then hide none that is
   * still inside.
   */
  private boolean isInUse() {
    long out = left.sum();
    return entered.sum() != out;
  }

  /**
   * Whether {@link #close} was called.
   *
   * @return true from then on
   */
  public boolean isClosed() {
    return closed;
  }
}
