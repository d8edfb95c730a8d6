package org.cuarray.driver.simulated;

import com.google.common.base.Preconditions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A kernel that modules of a machine have.
 *
 * @param parameterBytes the size of each parameter; null where nobody said
 */
record KernelSpec(@Nullable List<Integer> parameterBytes, KernelBody body) {

  static KernelSpec undeclared(KernelBody body) {
    return new KernelSpec(null, Preconditions.checkNotNull(body, "body"));
  }

  static KernelSpec declared(List<Integer> parameterBytes, KernelBody body) {
    for (int bytes : parameterBytes) {
      Preconditions.checkArgument(bytes > 0, "a parameter of %s bytes", bytes);
    }
    return new KernelSpec(List.copyOf(parameterBytes), Preconditions.checkNotNull(body, "body"));
  }

  /** Offset of a parameter, or of the end after the last: each aligned to its size, up to 8. */
  static int offset(List<Integer> sizes, int index) {
    int end = 0;
    for (int i = 0; i < index; i++) {
      end = aligned(end, sizes.get(i)) + sizes.get(i);
    }
    return index == sizes.size() ? end : aligned(end, sizes.get(index));
  }

  private static int aligned(int end, int bytes) {
    int alignment = Math.min(Integer.highestOneBit(bytes), KernelRun.LARGEST_ALIGNMENT);
    return (end + alignment - 1) / alignment * alignment;
  }
}
