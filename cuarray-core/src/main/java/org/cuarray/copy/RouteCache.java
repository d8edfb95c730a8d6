package org.cuarray.copy;

import java.util.concurrent.locks.ReentrantLock;
import org.cuarray.memory.Residence;
import org.jspecify.annotations.Nullable;

/**
 * The routes decided so far, by pair of residences: a hash table of primitives that is copied when
 * it changes, so that a look-up takes no lock and allocates nothing. Thread-safe.
 */
final class RouteCache {
  private static final int FIRST_CAPACITY = 16;
  private static final long EMPTY = 0;

  /** Immutable once published; never more than half full. */
  private static final class Table {
    final long[] keys;
    final @Nullable Route[] routes;
    int size;

    Table(int capacity) {
      keys = new long[capacity];
      routes = new Route[capacity];
    }

    /** Where a key is, or would be. */
    int place(long key) {
      int mask = keys.length - 1;
      int place = Long.hashCode(key * 0x9E3779B97F4A7C15L) & mask;
      while (keys[place] != EMPTY && keys[place] != key) {
        place = (place + 1) & mask;
      }
      return place;
    }

    void put(long key, @Nullable Route route) {
      int place = place(key);
      if (keys[place] == EMPTY) {
        size++;
      }
      keys[place] = key;
      routes[place] = route;
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private volatile Table table = new Table(FIRST_CAPACITY);

  @Nullable Route get(Residence source, Residence destination) {
    Table now = table;
    return now.routes[now.place(key(source, destination))];
  }

  void put(Residence source, Residence destination, Route route) {
    lock.lock();
    try {
      Table old = table;
      boolean full = 2 * (old.size + 1) > old.keys.length;
      Table copy = new Table(full ? 2 * old.keys.length : old.keys.length);
      for (int i = 0; i < old.keys.length; i++) {
        if (old.keys[i] != EMPTY) {
          copy.put(old.keys[i], old.routes[i]);
        }
      }
      copy.put(key(source, destination), route);
      table = copy;
    } finally {
      lock.unlock();
    }
  }

  /** Residences count from 1, so no key is {@link #EMPTY}. */
  private static long key(Residence source, Residence destination) {
    return (long) source.index() << 32 | destination.index();
  }
}
