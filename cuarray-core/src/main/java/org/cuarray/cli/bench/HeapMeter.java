package org.cuarray.cli.bench;

import java.lang.management.ManagementFactory;

/** Counts what this thread allocates on the Java heap. Needs the module {@code jdk.management}. */
final class HeapMeter {
  private final com.sun.management.ThreadMXBean threads;

  private HeapMeter(com.sun.management.ThreadMXBean threads) {
    this.threads = threads;
  }

  /**
   * The meter of this JVM.
   *
   * @throws IllegalStateException where it has none, with the reason
   */
  static HeapMeter ofThisJvm() {
    if (ModuleLayer.boot().findModule("jdk.management").isEmpty()) {
      throw new IllegalStateException("this Java runtime lacks the module jdk.management");
    }
    if (ManagementFactory.getThreadMXBean() instanceof com.sun.management.ThreadMXBean threads
        && threads.isThreadAllocatedMemorySupported()) {
      threads.setThreadAllocatedMemoryEnabled(true);
      return new HeapMeter(threads);
    }
    throw new IllegalStateException("this JVM does not count what a thread allocates");
  }

  /** Bytes that this thread has allocated so far. Asking allocates none. */
  long allocatedBytes() {
    return threads.getCurrentThreadAllocatedBytes();
  }
}
