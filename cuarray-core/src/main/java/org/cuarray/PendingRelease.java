package org.cuarray;

import java.util.concurrent.CompletableFuture;

/**
 * The release action of a wrap that may still be refused, by the runtime's being closed meanwhile:
 * it runs only once the caller has its array.
 */
final class PendingRelease implements Runnable {
  private final Runnable release;
  private final CompletableFuture<Boolean> given = new CompletableFuture<>();

  PendingRelease(Runnable release) {
    this.release = release;
  }

  /** Says whether the caller got an array. The first answer counts. */
  void decide(boolean arrayWasGiven) {
    given.complete(arrayWasGiven);
  }

  @Override
  public void run() {
    if (given.join()) {
      release.run();
    }
  }
}
