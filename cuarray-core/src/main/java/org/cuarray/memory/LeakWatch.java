package org.cuarray.memory;

import java.lang.ref.Cleaner;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.cuarray.CuClosedException;
import org.cuarray.LeakReports;
import org.cuarray.stream.Releasable;
import org.jspecify.annotations.Nullable;

/**
 * Frees what was forgotten, and says so with the place that allocated it. Thread-safe.
 *
 * <p>The cleaner's thread needs no current device: an owner knows its own.
 */
public final class LeakWatch {
  private static final System.Logger LOG = System.getLogger("org.cuarray");

  /** Taking a stack trace costs microseconds, so usually one allocation in this many has one. */
  private static final long SAMPLE = 256;

  private final LeakReports reports;
  private final AtomicLong allocations = new AtomicLong();
  private final Set<Watch> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** The watch of one runtime. */
  public LeakWatch(LeakReports reports) {
    this.reports = reports;
  }

  /** Something that may be forgotten. */
  private final class Watch implements Runnable {
    private final Releasable owner;
    private final Object subject;
    private final @Nullable Throwable site;
    private final int hash;

    Watch(Releasable owner, Object subject, @Nullable Throwable site, long number) {
      this.hash = Long.hashCode(number * 0x9E3779B97F4A7C15L);
      this.owner = owner;
      this.subject = subject;
      this.site = site;
    }

    /** An object's own hash costs its first caller as much as a driver call, and each has one. */
    @Override
    public int hashCode() {
      return hash;
    }

    /** After a proper close, or when the holder has become unreachable. */
    @Override
    public void run() {
      end("was never closed; it is freed now that nobody can reach it");
    }

    /**
     * One at a time, so that one leak is reported once, and whoever comes second returns after the
     * first has closed the owner.
     */
    synchronized void end(String how) {
      try {
        if (!owner.isClosed()) {
          report(this, how);
        }
      } catch (RuntimeException notHeard) {
        // A log handler or an observer failed; the memory goes back all the same.
      } finally {
        owner.close();
        open.remove(this);
      }
    }
  }

  /**
   * Watches an owner.
   *
   * @param holder whose becoming unreachable means that the owner was forgotten
   * @param subject what to call it: its {@code toString()}; must not lead to the holder
   * @return to be cleaned after the owner was closed
   * @throws CuClosedException where the runtime was closed; the owner is closed then as well
   */
  public Cleaner.Cleanable watch(Object holder, Releasable owner, Object subject) {
    long number = allocations.getAndIncrement();
    Watch watch = new Watch(owner, subject, site(number), number);
    open.add(watch);
    if (closed) {
      owner.close();
      open.remove(watch);
      throw new CuClosedException("the runtime was closed while it made " + subject);
    }
    OwnerObserver.Observers.opened(owner, subject);
    return CleanerPass.CLEANER.register(holder, watch);
  }

  private @Nullable Throwable site(long number) {
    return switch (reports) {
      case OFF -> null;
      case SAMPLED -> number % SAMPLE == 0 ? new Throwable("allocated here") : null;
      case EVERY_ALLOCATION -> new Throwable("allocated here");
    };
  }

  /**
   * Closes whatever is still open, and reports it; returns when nothing is, what other threads are
   * closing at this moment included. Nothing more can be opened then.
   */
  public void closeAll() {
    closed = true;
    for (Watch watch : List.copyOf(open)) {
      watch.end("was still open when its runtime was closed");
    }
  }

  private void report(Watch watch, String what) {
    OwnerObserver.Observers.leaked(watch.owner, what);
    if (reports == LeakReports.OFF) {
      return;
    }
    String message = watch.subject + " " + what;
    if (watch.site != null) {
      LOG.log(System.Logger.Level.WARNING, message, watch.site);
    } else {
      LOG.log(
          System.Logger.Level.WARNING,
          message + "; LeakReports.EVERY_ALLOCATION tells where it was allocated");
    }
  }
}
