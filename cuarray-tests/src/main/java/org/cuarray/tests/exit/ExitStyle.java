package org.cuarray.tests.exit;

import java.util.concurrent.locks.LockSupport;

/** The ways in which a JVM ends. */
enum ExitStyle {
  /** The main method returns, and only daemon threads are left. */
  RETURN(0) {
    @Override
    void end() {}
  },

  /** {@code System.exit}. */
  SYSTEM_EXIT(7) {
    @Override
    void end() {
      System.exit(code());
    }
  },

  /** The main method throws. */
  UNCAUGHT_EXCEPTION(1) {
    @Override
    void end() {
      throw new IllegalStateException("thrown to end the program");
    }
  },

  /** The signal by which a system asks a process to end; the parent sends it. */
  SIGTERM(128 + 15) {
    @Override
    void end() {
      while (true) {
        LockSupport.park();
      }
    }
  };

  private final int code;

  ExitStyle(int code) {
    this.code = code;
  }

  /** What the parent sees. */
  int code() {
    return code;
  }

  /** Ends the calling program's main thread. */
  abstract void end();
}
