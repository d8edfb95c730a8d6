package org.cuarray.memory;

import java.lang.ref.Cleaner;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
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

  /** The watch of one runtime. */
  public LeakWatch(LeakReports reports) {
    this.reports = reports;
  }

  /** Something that may be forgotten. */
  private final class Watch implements Runnable {
    private final Releasable owner;
    private final Object subject;
    private final @Nullable Throwable site;

    Watch(Releasable owner, Object subject, @Nullable Throwable site) {
      this.owner = owner;
      this.subject = subject;
      this.site = site;
    }

    /** After a proper close, or when the holder has become unreachable. */
    @Override
    public void run() {
      if (open.remove(this) && !owner.isClosed()) {
        report(this, "was never closed; it is freed now that nobody can reach it");
        owner.close();
      }
    }
  }

  /**
   * Watches an owner.
   *
   * @param holder whose becoming unreachable means that the owner was forgotten
   * @param subject what to call it: its {@code toString()}; must not lead to the holder
   * @return to be cleaned after the owner was closed
   */
  public Cleaner.Cleanable watch(Object holder, Releasable owner, Object subject) {
    Watch watch = new Watch(owner, subject, site());
    open.add(watch);
    return CleanerPass.CLEANER.register(holder, watch);
  }

  private @Nullable Throwable site() {
    return switch (reports) {
      case OFF -> null;
      case SAMPLED ->
          allocations.getAndIncrement() % SAMPLE == 0 ? new Throwable("allocated here") : null;
      case EVERY_ALLOCATION -> new Throwable("allocated here");
    };
  }

  /** Closes whatever is still open, and reports it. */
  public void closeAll() {
    for (Watch watch : List.copyOf(open)) {
      if (open.remove(watch) && !watch.owner.isClosed()) {
        report(watch, "was still open when its runtime was closed");
        watch.owner.close();
      }
    }
  }

  private void report(Watch watch, String what) {
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
