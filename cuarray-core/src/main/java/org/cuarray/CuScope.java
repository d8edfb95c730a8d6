package org.cuarray;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Closes many things at once, the last one first: for code that makes one array per device.
 *
 * <pre>{@code
 * try (CuScope scope = cuda.scope()) {
 *   List<CuArray<Float>> parts = new ArrayList<>();
 *   for (CuDevice device : cuda.devices()) {
 *     parts.add(scope.keep(device.zeros(FLOAT32, n)));
 *   }
 *   …
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class CuScope implements AutoCloseable {
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<AutoCloseable> kept = new ArrayDeque<>();
  private boolean closed;

  CuScope() {}

  /**
   * Takes something to be closed with the scope.
   *
   * @param <C> its type
   * @param resource what to close
   * @return the same object
   * @throws CuClosedException where the scope is closed; the resource has been closed then, so that
   *     it is not lost
   */
  public <C extends AutoCloseable> C keep(C resource) {
    Objects.requireNonNull(resource, "resource");
    lock.lock();
    try {
      if (!closed) {
        kept.push(resource);
        return resource;
      }
    } finally {
      lock.unlock();
    }
    CuClosedException refused =
        new CuClosedException("the scope was closed before it was given " + resource);
    try {
      resource.close();
    } catch (Exception e) {
      refused.addSuppressed(e);
    }
    throw refused;
  }

  /**
   * Closes what was kept, the last one first. Idempotent. Everything is closed even where something
   * fails to.
   *
   * @throws CuException what failed, with further failures suppressed in it
   */
  @Override
  public void close() {
    CuException failure = null;
    for (AutoCloseable resource = next(); resource != null; resource = next()) {
      try {
        resource.close();
      } catch (Exception e) {
        if (failure == null) {
          failure = new CuException("a scope could not close " + resource, e);
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private @org.jspecify.annotations.Nullable AutoCloseable next() {
    lock.lock();
    try {
      closed = true;
      return kept.poll();
    } finally {
      lock.unlock();
    }
  }
}
