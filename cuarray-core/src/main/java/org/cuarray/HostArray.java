package org.cuarray;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cuarray.driver.CudaDriver;
import org.cuarray.memory.HostAccess;
import org.cuarray.memory.Owner;
import org.cuarray.memory.Region;
import org.cuarray.stream.AccessMode;
import org.jspecify.annotations.Nullable;

/**
 * A typed array in pinned host memory, which devices copy to and from at full speed.
 *
 * <p>It takes part in program order like any array: a copy from a device is asynchronous, and
 * {@link #get}, {@link #toArray} and later copies wait for it. Only {@link #asByteBuffer} and
 * {@link #pointer} lead around the order; call {@link #synchronize} before and after.
 *
 * <p>Row-major and contiguous; may pass 2^31 elements. Pinning is slow (milliseconds) and takes
 * memory from the whole machine: make few host arrays and use them again. Thread-safe.
 *
 * @param <T> the element, see {@link DType}
 */
public final class HostArray<T> implements AutoCloseable {
  /** The most bytes that Java sees at once. */
  private static final long WINDOW = 1 << 28;

  private final CuRuntime runtime;
  private final CudaDriver driver;
  private final DType<T, ?> dtype;
  private final Shape shape;
  private final Region region;
  private final @Nullable HostArray<?> viewed;
  private final Cleaner.@Nullable Cleanable watch;

  private HostArray(
      CuRuntime runtime,
      DType<T, ?> dtype,
      Shape shape,
      Owner owner,
      long offset,
      @Nullable HostArray<?> viewed) {
    this.runtime = runtime;
    this.driver = runtime.driver();
    this.dtype = dtype;
    this.shape = shape;
    this.viewed = viewed;
    ArrayName name = new ArrayName(dtype, shape, "in pinned host memory");
    long bytes = shape.byteSize(dtype);
    this.region =
        viewed == null
            ? new Region(owner, offset, bytes, name)
            : viewed.region.view(offset, bytes, name);
    this.watch = viewed == null ? runtime.watch(this, owner, name) : null;
  }

  static <T> HostArray<T> owning(CuRuntime runtime, DType<T, ?> dtype, Shape shape, Owner owner) {
    return new HostArray<>(runtime, dtype, shape, owner, 0, null);
  }

  /**
   * One element. Waits for what writes it.
   *
   * @param index one per axis
   * @return its value
   * @throws IndexOutOfBoundsException where there is no such element
   */
  public T get(long... index) {
    ByteBuffer bytes = ByteBuffer.allocate(dtype.byteSize()).order(ByteOrder.nativeOrder());
    read(element(index), (position, from) -> bytes.put(from));
    return dtype.decode(bytes.flip());
  }

  /**
   * Sets one element. Waits for what still uses the old one.
   *
   * @param value its new value
   * @param index one per axis
   * @throws IndexOutOfBoundsException where there is no such element
   */
  public void set(T value, long... index) {
    ByteBuffer bytes = ByteBuffer.allocate(dtype.byteSize()).order(ByteOrder.nativeOrder());
    dtype.encode(value, bytes);
    bytes.flip();
    write(element(index), (position, into) -> into.put(bytes));
  }

  private Region element(long... index) {
    long offset = shape.offset(index) * dtype.byteSize();
    return region.part(offset, dtype.byteSize());
  }

  /**
   * All elements as a new Java array. Waits for what writes them.
   *
   * @param <A> the kind of Java array
   * @param elements the dtype of this array
   * @return row-major
   * @throws IllegalArgumentException where the dtype differs, or no Java array is that long
   */
  public <A> A toArray(DType<T, A> elements) {
    dtype.requireSame(elements, this);
    A all = elements.newArray(size());
    int each = elements.byteSize();
    read(
        region(),
        (position, from) ->
            elements.bytesToArray(from, all, position / each, from.remaining() / each));
    return all;
  }

  /**
   * Copies a Java array to all elements. Waits for what still uses the old ones.
   *
   * @param <A> the kind of Java array
   * @param elements the dtype of this array
   * @param source of exactly {@link #size} elements
   * @throws IllegalArgumentException where dtype or length differ; nothing was written
   */
  public <A> void copyFrom(DType<T, A> elements, A source) {
    dtype.requireSame(elements, this);
    requireLength(elements.arrayLength(source), "a Java array of");
    int each = elements.byteSize();
    write(
        region(),
        (position, into) ->
            elements.arrayToBytes(source, position / each, into.remaining() / each, into));
  }

  /**
   * Copies a buffer to all elements. Waits for what still uses the old ones.
   *
   * @param source holds exactly {@link #size} elements, from its position on, in native byte order;
   *     its position does not move
   * @throws IllegalArgumentException where the buffer is of another type, length or byte order;
   *     nothing was written
   */
  public void copyFrom(Buffer source) {
    requireLength(HostBuffers.elementsIn(dtype, source), "a buffer of");
    int each = dtype.byteSize();
    write(
        region(),
        (position, into) ->
            HostBuffers.bufferToBytes(
                dtype, source, position / each, into.remaining() / each, into));
  }

  /** Does something with a window on the memory. */
  private interface WindowAction {
    void accept(long position, ByteBuffer window);
  }

  private void read(Region bytes, WindowAction action) {
    inWindows(bytes, AccessMode.READ, action);
  }

  private void write(Region bytes, WindowAction action) {
    inWindows(bytes, AccessMode.WRITE, action);
  }

  private void inWindows(Region bytes, AccessMode mode, WindowAction action) {
    try {
      HostAccess.with(
          bytes,
          mode,
          () -> {
            for (long position = 0; position < bytes.bytes(); position += WINDOW) {
              long length = Math.min(WINDOW, bytes.bytes() - position);
              action.accept(position, driver.hostBuffer(bytes.address() + position, length));
            }
          });
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Some rows: a view of the elements whose first index is in a range.
   *
   * @param from first index of axis 0
   * @param to the index after the last
   * @return a view, which can't be used once this array is closed
   * @throws IndexOutOfBoundsException where the range does not lie in axis 0, or there is no axis
   */
  public HostArray<T> slice(long from, long to) {
    Shape rows = shape.slice(from, to);
    long rowBytes = shape.size() == 0 ? 0 : shape.stride(0) * dtype.byteSize();
    return new HostArray<>(
        runtime,
        dtype,
        rows,
        region().owner(),
        region.offset() + from * rowBytes,
        viewed == null ? this : viewed);
  }

  /**
   * Direct access to some elements, around the order: call {@link #synchronize} first, and let no
   * copy of this array run while the buffer is used.
   *
   * @param from the first element, counted row-major
   * @param to the element after the last
   * @return in native byte order; valid until the array is closed, and using it later reads memory
   *     that is no longer there, as with any pointer
   * @throws IndexOutOfBoundsException where there are no such elements
   * @throws IllegalArgumentException where they take more bytes than a buffer holds, 2^31 - 1
   */
  public ByteBuffer asByteBuffer(long from, long to) {
    if (from < 0 || to < from || to > size()) {
      throw new IndexOutOfBoundsException(
          "elements %d to %d of %s, which has %d".formatted(from, to, this, size()));
    }
    long bytes = (to - from) * dtype.byteSize();
    if (bytes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "%d elements of %s take %d bytes, and a buffer holds %d at most: take several"
              .formatted(to - from, this, bytes, Integer.MAX_VALUE));
    }
    Region all = region();
    return bytes == 0
        ? ByteBuffer.allocateDirect(0).order(ByteOrder.nativeOrder())
        : driver.hostBuffer(all.address() + from * dtype.byteSize(), bytes);
  }

  /**
   * The type of the elements.
   *
   * @return a dtype
   */
  public DType<T, ?> dtype() {
    return dtype;
  }

  /**
   * The extents.
   *
   * @return one per axis, in elements; a copy
   */
  public long[] shape() {
    return shape.extents();
  }

  Shape extents() {
    return shape;
  }

  /**
   * The number of elements.
   *
   * @return may pass 2^31
   */
  public long size() {
    return shape.size();
  }

  /**
   * The number of bytes that the elements take.
   *
   * @return size times bytes each
   */
  public long byteSize() {
    return region.bytes();
  }

  /**
   * The host address of the first element. It orders nothing, see {@link CuArray#pointer}.
   *
   * @return the address; 0 for an array without elements
   */
  public long pointer() {
    return region().address();
  }

  /** Waits until everything submitted on this array so far has completed. */
  public void synchronize() {
    try {
      HostAccess.synchronize(region());
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Lets the memory go; it is freed after every use already submitted. Idempotent; does not wait.
   * Closing a view does nothing.
   */
  @Override
  public void close() {
    if (watch != null) {
      region.owner().close();
      watch.clean();
    }
  }

  /**
   * Whether the array can still be used.
   *
   * @return true after {@link #close} of this array or of the one that it is a view of
   */
  public boolean isClosed() {
    return region.owner().isClosed();
  }

  CuRuntime runtime() {
    return runtime;
  }

  /** The region, for use now. */
  Region region() {
    runtime.requireOpen();
    region.requireOpen();
    return region;
  }

  private void requireLength(long elements, String what) {
    if (elements != size()) {
      throw new IllegalArgumentException(
          "%s has %d elements, and was given %s %d".formatted(this, size(), what, elements));
    }
  }

  @Override
  public String toString() {
    return region.toString();
  }
}
