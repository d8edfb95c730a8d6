package org.cuarray.driver.simulated;

import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The driver's objects of one kind by their handles. A slot is used again under another handle, so
 * that a stale handle is found out; look-ups allocate nothing.
 *
 * @param <T> the kind
 */
final class HandleTable<T> {
  /** First handles of the kinds, apart from each other and from every simulated address. */
  static final long CONTEXTS = 0x5100_0000_0000L;

  static final long STREAMS = 0x5200_0000_0000L;
  static final long EVENTS = 0x5300_0000_0000L;
  static final long POOLS = 0x5400_0000_0000L;
  static final long MODULES = 0x5500_0000_0000L;
  static final long FUNCTIONS = 0x5600_0000_0000L;

  private static final int SLOT_BITS = 20;
  private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;
  private static final long TAG_MASK = (1L << 40) - 1;

  private final long kind;
  private @Nullable Object[] items = new Object[4];
  private long[] handles = new long[4];
  private int[] free = new int[4];
  private int used;
  private int freed;

  HandleTable(long kind) {
    this.kind = kind;
  }

  /** Adds an object under a handle that no other had for the last million uses of its slot. */
  long add(T item) {
    int slot;
    if (freed > 0) {
      slot = free[--freed];
    } else {
      slot = used++;
      if (slot > SLOT_MASK) {
        throw new IllegalStateException("a million live handles of one kind");
      }
      if (slot == items.length) {
        items = Arrays.copyOf(items, 2 * slot);
        handles = Arrays.copyOf(handles, 2 * slot);
        free = Arrays.copyOf(free, 2 * slot);
      }
      handles[slot] = kind | slot;
    }
    handles[slot] = kind | ((handles[slot] + SLOT_MASK + 1) & TAG_MASK);
    items[slot] = item;
    return handles[slot];
  }

  /** The object behind a handle, or null for one that is unknown or stale. */
  @SuppressWarnings("unchecked")
  @Nullable T get(long handle) {
    int slot = (int) handle & SLOT_MASK;
    return slot < used && handles[slot] == handle ? (T) items[slot] : null;
  }

  /** Forgets a handle; its slot may be used again. */
  void remove(long handle) {
    vacate(handle);
    free[freed++] = (int) handle & SLOT_MASK;
  }

  /** Forgets a handle but keeps its slot, for {@link #reoccupy}. */
  void vacate(long handle) {
    items[(int) handle & SLOT_MASK] = null;
  }

  /** Puts an object behind a vacated handle. */
  void reoccupy(long handle, T item) {
    items[(int) handle & SLOT_MASK] = item;
  }

  /** Forgets every object that a test picks. */
  @SuppressWarnings("unchecked")
  void removeIf(Predicate<? super T> test) {
    for (int i = 0; i < used; i++) {
      T item = (T) items[i];
      if (item != null && test.test(item)) {
        remove(handles[i]);
      }
    }
  }
}
