package org.cuarray.junit;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * Fails each test that leaves something open: arrays, host arrays, streams, modules or leases that
 * were made during the test, and were closed neither by it nor by a scope when it and its {@code
 * AfterEach} methods are done. The failure names each with the place that made it.
 *
 * <pre>
 * &#64;ExtendWith(LeakCheck.class)
 * class TransposeTest {
 *   &#64;Test
 *   void aSquareKeepsItsDiagonal() {
 *     try (CuArray&lt;Float&gt; square = cuda.device(0).full(FLOAT32, 1f, 8, 8)) {
 *       assertEquals(1f, square.get(3, 3)); // without the try, the test fails
 *     }
 *   }
 * }
 * </pre>
 *
 * <p>Whatever runtime made it, whatever its {@link org.cuarray.LeakReports}; closing the runtime
 * with something still open counts as leaving it open, and so does forgetting it to the garbage
 * collector. What was made before the test does not count, such as arrays of {@code BeforeAll}
 * methods and of fields' initialisers. In a test that fails by itself the leaks are added to its
 * failure as suppressed. Nothing is closed by this.
 *
 * <p>Tests may run in parallel: what a thread makes is laid to the test that it, or a thread that
 * started it, works for. Only where threads of a pool that the test did not start make something
 * while several tests run, it is laid to none.
 */
public final class LeakCheck implements BeforeEachCallback, AfterEachCallback {
  private static final Namespace NAMESPACE = Namespace.create(LeakCheck.class);

  /** For JUnit. */
  public LeakCheck() {}

  @Override
  public void beforeEach(ExtensionContext context) {
    context.getStore(NAMESPACE).put(LeakAccount.class, LeakAccounts.open());
  }

  @Override
  public void afterEach(ExtensionContext context) {
    @Nullable LeakAccount account =
        context.getStore(NAMESPACE).remove(LeakAccount.class, LeakAccount.class);
    if (account == null) {
      return; // an extension before this one failed, and the test never began
    }
    List<Leak> leaks = account.leaks();
    LeakAccounts.close(account);
    if (!leaks.isEmpty()) {
      // JUnit adds it to the test's own failure as suppressed where there is one.
      throw Leak.failure(leaks);
    }
  }
}
