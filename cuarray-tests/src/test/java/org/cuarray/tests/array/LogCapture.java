package org.cuarray.tests.array;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What the library logs while this is open, kept from the console. */
public final class LogCapture extends Handler implements AutoCloseable {
  /** Held strongly: the log manager forgets loggers that nobody holds, handlers and all. */
  private final Logger logger = Logger.getLogger("org.cuarray");

  private final boolean usedParents = logger.getUseParentHandlers();
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();
  private final BlockingQueue<LogRecord> arriving = new LinkedBlockingQueue<>();

  /** Captures until it is closed. */
  public LogCapture() {
    logger.addHandler(this);
    logger.setUseParentHandlers(false);
  }

  /** All so far. */
  public List<LogRecord> records() {
    return records;
  }

  void clear() {
    records.clear();
    arriving.clear();
  }

  /** Collects garbage until something is logged; null where nothing is in a few seconds. */
  LogRecord awaitWhileCollecting() throws InterruptedException {
    for (int i = 0; i < 100; i++) {
      System.gc();
      LogRecord record = arriving.poll(50, TimeUnit.MILLISECONDS);
      if (record != null) {
        return record;
      }
    }
    return null;
  }

  @Override
  public void publish(LogRecord record) {
    records.add(record);
    arriving.add(record);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(usedParents);
  }
}
