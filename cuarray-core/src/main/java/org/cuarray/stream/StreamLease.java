package org.cuarray.stream;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.cuarray.CuException;

/**
 * Ranges that are held while somebody else submits work on them to a stream.
 *
 * <p>Opening makes the stream wait for what came before; closing marks every range as used by what
 * the stream was given meanwhile. Nothing is ever submitted to a capturing stream, since it would
 * become part of the user's graph.
 */
public final class StreamLease implements Releasable {
  private static final System.Logger LOG = System.getLogger("org.cuarray");

  private final OrderedStream stream;
  private final List<Hold> holds;
  private final ReentrantLock closing = new ReentrantLock();
  private volatile boolean closed;

  private StreamLease(OrderedStream stream, List<Hold> holds) {
    this.stream = stream;
    this.holds = holds;
  }

  /** What a lease can be asked for. */
  public interface Leasable {
    /** Declares the access of a step to it; returns the step's number for it. */
    int touchedBy(Operation step, AccessMode mode);

    /** Throws where it may no longer be used; exact under its lock. */
    void requireOpen();
  }

  private record Wanted(Leasable what, AccessMode mode) {}

  /** A lease in the making. */
  public static final class Request {
    private final OrderedStream stream;
    private final String purpose;
    private final List<Wanted> wanted = new ArrayList<>();

    private Request(OrderedStream stream, String purpose) {
      this.stream = stream;
      this.purpose = purpose;
    }

    /** Adds an access. */
    public void touch(Leasable what, AccessMode mode) {
      wanted.add(new Wanted(what, mode));
    }

    /**
     * Opens the lease.
     *
     * @throws IllegalStateException where the stream is capturing, or this thread holds one of the
     *     ranges already
     */
    public StreamLease open() {
      requireNotCapturing(stream);
      List<Hold> holds = new ArrayList<>(wanted.size());
      Operation step = Operation.begin();
      try {
        int[] accesses = new int[wanted.size()];
        for (int i = 0; i < accesses.length; i++) {
          accesses[i] = wanted.get(i).what().touchedBy(step, wanted.get(i).mode());
        }
        step.lock();
        for (Wanted one : wanted) {
          one.what().requireOpen();
        }
        for (int access : accesses) {
          step.after(access);
        }
        step.enter(stream, 0, 0);
        stream.leaseOpened();
        for (int access : accesses) {
          holds.add(step.hold(access, purpose));
        }
      } finally {
        step.end();
      }
      return new StreamLease(stream, holds);
    }
  }

  /**
   * Begins a lease.
   *
   * @param purpose names it to those who may not wait for it
   */
  public static Request on(OrderedStream stream, String purpose) {
    return new Request(stream, purpose);
  }

  /** Whether {@link #close} has done its work. */
  @Override
  public boolean isClosed() {
    return closed;
  }

  /**
   * Checks that closing may submit. A stream whose device is lost captures nothing.
   *
   * @throws IllegalStateException where the stream is capturing
   */
  public void requireNotCapturing() {
    try {
      requireNotCapturing(stream);
    } catch (CuException e) {
      LOG.log(System.Logger.Level.DEBUG, "a lease ends on a stream that had failed", e);
    }
  }

  private static void requireNotCapturing(OrderedStream stream) {
    if (stream.isCapturing()) {
      throw new IllegalStateException(
          stream
              + " is capturing a graph; end the capture first, and lease it when the graph runs");
    }
  }

  /** Ends the lease, after what the stream was given. Idempotent. */
  @Override
  public void close() {
    closing.lock();
    try {
      if (!closed) {
        long ticket = stream.leaseClosed();
        for (Hold hold : holds) {
          hold.release(stream, ticket);
        }
        closed = true;
      }
    } finally {
      closing.unlock();
    }
  }
}
