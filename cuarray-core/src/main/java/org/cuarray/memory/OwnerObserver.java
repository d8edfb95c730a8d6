package org.cuarray.memory;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.cuarray.stream.Releasable;

/**
 * Told of everything that must be closed, by every runtime of the process: for those who hold a
 * test to account for it. Called on the thread that makes or reports the owner; must not throw.
 */
public interface OwnerObserver {
  /**
   * An owner was made.
   *
   * @param owner does not lead to the object that the user holds
   * @param subject what to call it: its {@code toString()}
   */
  void opened(Releasable owner, Object subject);

  /**
   * An owner is about to be closed by the library, since the user did not: forgotten, or still open
   * when its runtime was closed.
   *
   * @param how what happened, as the end of a sentence that begins with the subject
   */
  void leaked(Releasable owner, String how);

  /** Adds an observer to those that are told. */
  static void add(OwnerObserver observer) {
    Observers.ALL.add(observer);
  }

  /** Those that were added; seldom any. */
  final class Observers {
    private static final List<OwnerObserver> ALL = new CopyOnWriteArrayList<>();

    private Observers() {}

    static void opened(Releasable owner, Object subject) {
      for (OwnerObserver observer : ALL) {
        observer.opened(owner, subject);
      }
    }

    static void leaked(Releasable owner, String how) {
      for (OwnerObserver observer : ALL) {
        observer.leaked(owner, how);
      }
    }
  }
}
