package org.cuarray.copy;

import org.cuarray.driver.DriverStatus;
import org.cuarray.memory.Region;
import org.cuarray.stream.AccessMode;
import org.cuarray.stream.Operation;
import org.cuarray.stream.OrderedStream;

/** A copy that is one asynchronous driver call, put in its place in the order of both regions. */
final class SingleCallCopy {
  /** The call itself. */
  @FunctionalInterface
  interface Call {
    /** Submits the copy of all bytes to a stream; returns the driver's status. */
    int submit(Region source, Region destination, OrderedStream stream);
  }

  /** How the copy enters its stream. */
  @FunctionalInterface
  interface Entry {
    /** {@link Operation#enterLast}, or its like. */
    void enter(Operation step, OrderedStream stream, long first, long second);
  }

  private final String name;
  private final Entry entry;
  private final Call call;

  /**
   * A kind of copy.
   *
   * @param name of the driver call, in its words
   */
  SingleCallCopy(String name, Call call) {
    this(name, Operation::enterLast, call);
  }

  /** Likewise one that enters its stream in another way. */
  SingleCallCopy(String name, Entry entry, Call call) {
    this.name = name;
    this.entry = entry;
    this.call = call;
  }

  /** Copies on a stream. */
  void copy(Region source, Region destination, OrderedStream stream) {
    Operation step = Operation.begin();
    try {
      int read = source.touchedBy(step, AccessMode.READ);
      int written = destination.touchedBy(step, AccessMode.WRITE);
      step.lock();
      source.requireOpen();
      destination.requireOpen();
      submit(step, read, written, source, destination, stream);
    } finally {
      step.end();
    }
  }

  /** Copies within a step that has locked both regions. */
  void submit(
      Operation step,
      int read,
      int written,
      Region source,
      Region destination,
      OrderedStream stream) {
    step.after(read);
    step.after(written);
    entry.enter(step, stream, source.address(), destination.address());
    int status = call.submit(source, destination, stream);
    step.leave();
    DriverStatus.check(status, name, stream.ordinal(), source.bytes());
  }
}
