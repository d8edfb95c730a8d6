package org.cuarray.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.StringJoiner;
import org.cuarray.memory.Region;
import org.cuarray.stream.AccessMode;
import org.cuarray.stream.Operation;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of the launch that a thread is about to make. One per thread, used again and again,
 * so that a launch allocates nothing. Confined to its thread.
 */
public final class Arguments {
  /** What an address takes. */
  private static final int POINTER_BYTES = Long.BYTES;

  private static final int USUAL = 8;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private static final ThreadLocal<Arguments> OF_THREAD = ThreadLocal.withInitial(Arguments::new);

  private int count;

  /** By argument: what it is called, its size, and its bits from the lowest on. */
  private @Nullable Object[] subjects = new Object[USUAL];

  private int[] sizes = new int[USUAL];
  private long[] low = new long[USUAL];
  private long[] high = new long[USUAL];

  private int arrays;

  /** By array. */
  private @Nullable Region[] regions = new Region[USUAL];

  private AccessMode[] modes = new AccessMode[USUAL];
  private int[] accesses = new int[USUAL];

  /** With room for one more long, as values are stored eight bytes at a time. */
  private byte[] packed = new byte[USUAL * Long.BYTES];

  private Arguments() {}

  /** The thread's own; to be {@linkplain #clear cleared} after the launch. */
  public static Arguments ofThread() {
    return OF_THREAD.get();
  }

  /** Forgets all arguments. */
  public void clear() {
    Arrays.fill(subjects, 0, count, null);
    Arrays.fill(regions, 0, arrays, null);
    count = 0;
    arrays = 0;
  }

  /**
   * Adds an array: its address, and what the kernel does to it.
   *
   * @param subject what to call it in messages
   */
  public void add(Object subject, Region region, AccessMode mode) {
    add(subject, POINTER_BYTES, region.address(), 0);
    if (arrays == regions.length) {
      regions = Arrays.copyOf(regions, 2 * arrays);
      modes = Arrays.copyOf(modes, 2 * arrays);
      accesses = Arrays.copyOf(accesses, 2 * arrays);
    }
    regions[arrays] = region;
    modes[arrays] = mode;
    arrays++;
  }

  /**
   * Adds a value.
   *
   * @param subject what to call it in messages
   * @param bytes 1, 2, 4, 8 or 16
   * @param lowBits its first eight bytes, from the lowest bit on
   * @param highBits the others
   */
  public void add(Object subject, int bytes, long lowBits, long highBits) {
    if (count == sizes.length) {
      int more = 2 * count;
      subjects = Arrays.copyOf(subjects, more);
      sizes = Arrays.copyOf(sizes, more);
      low = Arrays.copyOf(low, more);
      high = Arrays.copyOf(high, more);
    }
    subjects[count] = subject;
    sizes[count] = bytes;
    low[count] = lowBits;
    high[count] = highBits;
    count++;
  }

  /**
   * Lays the arguments out as a kernel takes them.
   *
   * @return how many bytes of {@link #packed} they take
   * @throws IllegalArgumentException where they differ in number or size from its parameters
   */
  int pack(LoadedKernel kernel) {
    ParameterLayout layout = kernel.layout();
    if (!layout.takes(count)) {
      throw new IllegalArgumentException(
          "kernel %s takes %s, and was given %d arguments: %s"
              .formatted(kernel.name(), layout, count, this));
    }
    int end = 0;
    for (int i = 0; i < count; i++) {
      if (!layout.takes(i, sizes[i])) {
        throw new IllegalArgumentException(
            "kernel %s takes %s, and was given as argument %d of %d bytes: %s"
                .formatted(kernel.name(), layout, i, sizes[i], subjects[i]));
      }
      int offset = layout.offset(i, sizes[i], end);
      end = offset + sizes[i];
      put(offset, i);
    }
    return end;
  }

  /** Every CUDA platform is little-endian: a value's first byte is its lowest. */
  private void put(int offset, int i) {
    if (offset + 2 * Long.BYTES > packed.length) {
      packed = Arrays.copyOf(packed, Math.max(2 * packed.length, offset + 2 * Long.BYTES));
    }
    LONG.set(packed, offset, low[i]);
    if (sizes[i] > Long.BYTES) {
      LONG.set(packed, offset + Long.BYTES, high[i]);
    }
  }

  byte[] packed() {
    return packed;
  }

  // ---- the arrays, in a step -------------------------------------------------------------------

  void touchedBy(Operation step) {
    for (int i = 0; i < arrays; i++) {
      accesses[i] = region(i).touchedBy(step, modes[i]);
    }
  }

  void requireOpen() {
    for (int i = 0; i < arrays; i++) {
      region(i).requireOpen();
    }
  }

  /** Lets the step come after whatever conflicts with an access. */
  void after(Operation step) {
    for (int i = 0; i < arrays; i++) {
      step.after(accesses[i]);
    }
  }

  /** Identifies the first array. */
  long firstSubject() {
    return arrays == 0 ? 0 : region(0).address();
  }

  /** Identifies the other arrays. */
  long otherSubjects() {
    long subject = 0;
    for (int i = 1; i < arrays; i++) {
      subject = 31 * subject + region(i).address();
    }
    return subject;
  }

  private Region region(int i) {
    Region region = regions[i];
    if (region == null) {
      throw new IllegalStateException("the arguments of a launch were cleared during it");
    }
    return region;
  }

  @Override
  public String toString() {
    StringJoiner all = new StringJoiner(", ", "[", "]");
    for (int i = 0; i < count; i++) {
      all.add(subjects[i] + " (" + sizes[i] + " bytes)");
    }
    return all.toString();
  }
}
