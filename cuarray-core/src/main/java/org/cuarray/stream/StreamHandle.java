package org.cuarray.stream;

import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.DriverFlags;
import org.cuarray.driver.DriverStatus;
import org.cuarray.registry.DeviceContexts;

/** The driver's handle of a stream, and who else has it. Immutable. */
final class StreamHandle {
  /** Who submits to a stream, and may capture it. */
  private enum Users {
    /** This library alone. */
    NOBODY_ELSE,
    /** Whoever asked this library for a stream. */
    BORROWERS,
    /** Whoever made the stream, and will destroy it. */
    MAKERS
  }

  private final CudaDriver driver;
  private final DeviceContexts contexts;
  private final int ordinal;
  private final long context;
  private final long stream;
  private final Users users;

  private StreamHandle(CudaDriver driver, int ordinal, long context, long stream, Users users) {
    this.driver = driver;
    this.contexts = DeviceContexts.of(driver);
    this.ordinal = ordinal;
    this.context = context;
    this.stream = stream;
    this.users = users;
  }

  /** A new stream that nobody else will have. */
  static StreamHandle create(CudaDriver driver, int ordinal, int priority) {
    return create(driver, ordinal, priority, Users.NOBODY_ELSE);
  }

  /** A new stream that users will have too. */
  static StreamHandle lend(CudaDriver driver, int ordinal, int priority) {
    return create(driver, ordinal, priority, Users.BORROWERS);
  }

  private static StreamHandle create(CudaDriver driver, int ordinal, int priority, Users users) {
    DeviceContexts contexts = DeviceContexts.of(driver);
    long context = contexts.context(ordinal);
    long[] stream = new long[1];
    contexts.enter(context);
    try {
      DriverStatus.check(
          driver.streamCreateWithPriority(stream, DriverFlags.STREAM_NON_BLOCKING, priority),
          "cuStreamCreateWithPriority",
          ordinal);
    } finally {
      contexts.leave();
    }
    return new StreamHandle(driver, ordinal, context, stream[0], users);
  }

  /** Somebody else's stream; 0 is the legacy default stream. */
  static StreamHandle wrap(CudaDriver driver, int ordinal, long context, long stream) {
    return new StreamHandle(driver, ordinal, context, stream, Users.MAKERS);
  }

  int ordinal() {
    return ordinal;
  }

  long context() {
    return context;
  }

  /** What the driver calls it. */
  long value() {
    return stream;
  }

  /** Whether somebody else has it too. */
  boolean isShared() {
    return users != Users.NOBODY_ELSE;
  }

  /** Whether it lives on when this library is done with it. */
  boolean isForeign() {
    return users == Users.MAKERS;
  }

  /** Makes the stream's context current, until {@link #leaveContext}. */
  void enterContext() {
    contexts.enter(context);
  }

  /** Likewise where another context is current; returns whether {@link #leaveContext} follows. */
  boolean enterInsteadOfAnotherContext() {
    return contexts.enterInsteadOfAnother(context);
  }

  void leaveContext() {
    contexts.leave();
  }

  /** Whether somebody captures what is submitted into a graph. */
  boolean isCapturing() {
    int[] capturing = new int[1];
    enterContext();
    try {
      DriverStatus.check(
          driver.streamIsCapturing(stream, capturing), "cuStreamIsCapturing", ordinal);
    } finally {
      leaveContext();
    }
    return capturing[0] != 0;
  }

  /**
   * Blocks until all work has completed.
   *
   * @return the driver's status
   */
  int synchronize() {
    enterContext();
    try {
      return driver.streamSynchronize(stream);
    } finally {
      leaveContext();
    }
  }

  /** Whether the process is ending, so that the driver answers nothing more. */
  boolean isOfAnEndingProcess() {
    // Asked of nothing that a capture could mind.
    return driver.ctxGetCurrent(new long[1]) == CudaError.DEINITIALIZED;
  }

  /** Creates an event on the stream's device, with flags as for {@code cuEventCreate}. */
  long createEvent(int flags) {
    long[] event = new long[1];
    enterContext();
    try {
      DriverStatus.check(driver.eventCreate(event, flags), "cuEventCreate", ordinal);
    } finally {
      leaveContext();
    }
    return event[0];
  }

  /** Records an event after what was submitted so far. */
  void record(long event) {
    if (isDefaultStream()) {
      enterContext();
      try {
        recordInContext(event);
      } finally {
        leaveContext();
      }
    } else {
      // Any context may be current then ({@code driver-facts.md}), which saves half of what an
      // event costs.
      recordInContext(event);
    }
  }

  /** It has no handle of its own: it is that of the current context. */
  private boolean isDefaultStream() {
    return stream == 0 || stream == DriverFlags.STREAM_LEGACY;
  }

  private void recordInContext(long event) {
    DriverStatus.check(driver.eventRecord(event, stream), "cuEventRecord", ordinal);
  }

  /** Makes the stream wait for an event, of whatever device. */
  void waitFor(long event, int ordinalOfEvent) {
    DriverStatus.check(
        driver.streamWaitEvent(stream, event, 0), "cuStreamWaitEvent", ordinalOfEvent);
  }

  /** Destroys the stream, unless its makers will. */
  void destroy() {
    if (!isForeign()) {
      enterContext();
      try {
        int unused = driver.streamDestroy(stream);
      } finally {
        leaveContext();
      }
    }
  }

  @Override
  public String toString() {
    return "stream 0x%x of cuda:%d".formatted(stream, ordinal);
  }
}
