package org.cuarray.tests.exit;

/** What goes on in a program when it ends. */
enum ExitSituation {
  /** Threads copy, allocate, close and forget arrays; copies are in flight. */
  BUSY,

  /** The same, and a shutdown hook of the program's own closes the runtime. */
  CLOSED_BY_A_HOOK,

  /** A kernel runs longer than anybody would wait, and a thread waits for it in the driver. */
  ENDLESS_KERNEL
}
