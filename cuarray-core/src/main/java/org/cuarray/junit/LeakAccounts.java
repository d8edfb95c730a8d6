package org.cuarray.junit;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.cuarray.memory.OwnerObserver;
import org.cuarray.stream.Releasable;
import org.jspecify.annotations.Nullable;

/** The accounts of the tests that run at present: lays what is made to one of them. */
final class LeakAccounts implements OwnerObserver {
  /** Inherited, so that threads that a test starts work for it. */
  private static final InheritableThreadLocal<@Nullable LeakAccount> OF_THREAD =
      new InheritableThreadLocal<>();

  private static final Set<LeakAccount> OPEN = ConcurrentHashMap.newKeySet();

  static {
    OwnerObserver.add(new LeakAccounts());
  }

  private LeakAccounts() {}

  /** Opens the account of a test that begins on this thread. */
  static LeakAccount open() {
    LeakAccount before = OF_THREAD.get();
    LeakAccount account = new LeakAccount(before != null && before.isClosed() ? null : before);
    OPEN.add(account);
    OF_THREAD.set(account);
    return account;
  }

  /** Closes the account of a test that ends on this thread. */
  static void close(LeakAccount account) {
    account.close();
    OPEN.remove(account);
    OF_THREAD.set(account.outer());
  }

  @Override
  public void opened(Releasable owner, Object subject) {
    LeakAccount account = current();
    if (account != null) {
      account.opened(owner, subject);
    }
  }

  private @Nullable LeakAccount current() {
    LeakAccount account = OF_THREAD.get();
    if (account != null && !account.isClosed()) {
      return account;
    }
    // A thread that worked for an earlier test, or for none: clear only where one test runs.
    LeakAccount[] running = OPEN.toArray(LeakAccount[]::new);
    return running.length == 1 ? running[0] : null;
  }

  @Override
  public void leaked(Releasable owner, String how) {
    OPEN.forEach(account -> account.leaked(owner, how));
  }
}
