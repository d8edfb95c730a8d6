package org.cuarray.driver.simulated;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The accesses to one allocation that a later one may have to be ordered after. */
final class AccessHistory {
  private final List<Access> accesses = new ArrayList<>(0);

  /** An earlier access that has no order with a new one, though it needs one; null for none. */
  @Nullable Access unorderedWith(Access later) {
    for (Access earlier : accesses) {
      if (earlier.conflicts(later)
          && !earlier.by().isBefore(later.by().clock)
          && !later.by().isBefore(earlier.by().clock)) {
        return earlier;
      }
    }
    return null;
  }

  /** An access that does not come before a point of the order; null where all do. */
  @Nullable Access notBefore(Clock point) {
    for (Access access : accesses) {
      if (!access.by().isBefore(point)) {
        return access;
      }
    }
    return null;
  }

  /** Remembers an access, and forgets those that whoever conflicts with them meets in it too. */
  void add(Access access, Clock host) {
    accesses.removeIf(earlier -> earlier.by().isBefore(host) || access.standsFor(earlier));
    accesses.add(access);
  }

  /** Remembers an access, and forgets none. */
  void addBeside(Access access) {
    accesses.add(access);
  }
}
