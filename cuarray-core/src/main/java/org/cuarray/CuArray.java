package org.cuarray;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.cuarray.copy.Route;
import org.cuarray.memory.HostAccess;
import org.cuarray.memory.Owner;
import org.cuarray.memory.Region;
import org.cuarray.stream.StreamLease;
import org.jspecify.annotations.Nullable;

/**
 * A typed array that lives on one CUDA device.
 *
 * <p>{@link #copyTo(CuArray)} moves its elements to wherever another array lives: the same device,
 * a peer device, or through the host. The caller needs no context, stream or event. Operations are
 * asynchronous to the host and ordered per array: each one sees every earlier one on the same
 * bytes, whatever thread or device submitted it. The host waits only where it needs a value.
 *
 * <p>Arrays are row-major and contiguous. An array owns its memory until it is {@linkplain #close
 * closed}; {@link #slice}, {@link #reshape} and {@link #view} give views, which borrow it and can't
 * be used once their {@link #owner} is closed. {@link #retain} gives another owner.
 *
 * <p>Thread-safe. Every method that uses the elements throws {@link CuClosedException} where the
 * array or its owner is closed, and names the array.
 *
 * @param <T> the element, see {@link DType}
 */
public final class CuArray<T> implements AutoCloseable {
  private final CuDevice device;
  private final DType<T, ?> dtype;
  private final Shape shape;
  private final Region region;
  private final AllocatorKind allocator;
  private final @Nullable CuArray<?> viewed;
  private final Cleaner.@Nullable Cleanable watch;
  private final AtomicBoolean viewClosed = new AtomicBoolean();

  private CuArray(
      CuDevice device,
      DType<T, ?> dtype,
      Shape shape,
      Owner owner,
      long offset,
      AllocatorKind allocator,
      @Nullable CuArray<?> viewed) {
    this.device = device;
    this.dtype = dtype;
    this.shape = shape;
    this.allocator = allocator;
    this.viewed = viewed;
    ArrayName name = new ArrayName(dtype, shape, device);
    long bytes = shape.byteSize(dtype);
    this.region =
        viewed == null
            ? new Region(owner, offset, bytes, name)
            : viewed.region.view(offset, bytes, name);
    this.watch = viewed == null ? device.runtime().watch(this, owner, name) : null;
  }

  /** An array that owns its memory. */
  static <T> CuArray<T> owning(
      CuDevice device,
      DType<T, ?> dtype,
      Shape shape,
      Owner owner,
      long offset,
      AllocatorKind allocator) {
    return new CuArray<>(device, dtype, shape, owner, offset, allocator, null);
  }

  private <U> CuArray<U> viewOf(DType<U, ?> elements, Shape extents, long offset) {
    requireOpen();
    return new CuArray<>(
        device, elements, extents, region.owner(), region.offset() + offset, allocator, owner());
  }

  // ---- copies ----------------------------------------------------------------------------------

  /**
   * Copies all elements to another array, wherever it lives. Returns when the copy is submitted.
   *
   * @param destination of the same dtype and shape, of the same runtime; may be this array, or
   *     overlap it on the same device (the result is that of memmove)
   * @throws IllegalArgumentException where dtype, shape or runtime differ; nothing was written
   * @throws CuDriverException where the driver refuses the copy; the destination's elements are
   *     undefined then
   */
  public void copyTo(CuArray<T> destination) {
    requireSameAs(destination);
    try {
      device.runtime().deviceCopies().copy(region(), destination.region());
    } finally {
      Reference.reachabilityFence(this);
      Reference.reachabilityFence(destination);
    }
  }

  /**
   * Copies all elements to pinned host memory. Returns when the copy is submitted; later uses of
   * the host array wait for it.
   *
   * @param destination of the same dtype and shape
   * @throws IllegalArgumentException where dtype or shape differ; nothing was written
   */
  public void copyTo(HostArray<T> destination) {
    requireSameAs(destination);
    try {
      device.runtime().hostArrayCopies().download(region(), destination.region());
    } finally {
      Reference.reachabilityFence(this);
      Reference.reachabilityFence(destination);
    }
  }

  /**
   * Copies all elements to a buffer. Returns when they are there.
   *
   * @param destination takes exactly {@link #size} elements, from its position on, in native byte
   *     order; its position does not move
   * @throws IllegalArgumentException where the buffer is of another type, length or byte order, or
   *     read-only; nothing was written
   */
  public void copyTo(Buffer destination) {
    requireLength(HostBuffers.writableElementsIn(dtype, destination), "a buffer that takes");
    int each = dtype.byteSize();
    try {
      device
          .runtime()
          .hostTransfers()
          .download(
              region(),
              (position, from) ->
                  HostBuffers.bytesToBuffer(
                      dtype, from, destination, position / each, from.remaining() / each));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Copies all elements to a Java array. Returns when they are there.
   *
   * @param <A> the kind of Java array
   * @param elements the dtype of this array
   * @param destination of exactly {@link #size} elements
   * @throws IllegalArgumentException where dtype or length differ; nothing was written
   */
  public <A> void copyTo(DType<T, A> elements, A destination) {
    requireDType(elements);
    requireLength(elements.arrayLength(destination), "a Java array of");
    download(elements, destination);
  }

  private <A> void download(DType<T, A> elements, A destination) {
    int each = elements.byteSize();
    try {
      device
          .runtime()
          .hostTransfers()
          .download(
              region(),
              (position, from) ->
                  elements.bytesToArray(
                      from, destination, position / each, from.remaining() / each));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Copies pinned host memory to all elements. Returns when the copy is submitted; later uses of
   * the host array wait for it where they write.
   *
   * @param source of the same dtype and shape
   * @throws IllegalArgumentException where dtype or shape differ; nothing was written
   */
  public void copyFrom(HostArray<T> source) {
    requireSameAs(source);
    try {
      device.runtime().hostArrayCopies().upload(source.region(), region());
    } finally {
      Reference.reachabilityFence(this);
      Reference.reachabilityFence(source);
    }
  }

  /**
   * Copies a buffer to all elements. Returns when the buffer has been read.
   *
   * @param source holds exactly {@link #size} elements, from its position on, in native byte order;
   *     its position does not move
   * @throws IllegalArgumentException where the buffer is of another type, length or byte order;
   *     nothing was written
   */
  public void copyFrom(Buffer source) {
    requireLength(HostBuffers.elementsIn(dtype, source), "a buffer of");
    int each = dtype.byteSize();
    try {
      device
          .runtime()
          .hostTransfers()
          .upload(
              (position, into) ->
                  HostBuffers.bufferToBytes(
                      dtype, source, position / each, into.remaining() / each, into),
              region());
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Copies a Java array to all elements. Returns when the array has been read.
   *
   * @param <A> the kind of Java array
   * @param elements the dtype of this array
   * @param source of exactly {@link #size} elements
   * @throws IllegalArgumentException where dtype or length differ; nothing was written
   */
  public <A> void copyFrom(DType<T, A> elements, A source) {
    requireDType(elements);
    requireLength(elements.arrayLength(source), "a Java array of");
    int each = elements.byteSize();
    try {
      device
          .runtime()
          .hostTransfers()
          .upload(
              (position, into) ->
                  elements.arrayToBytes(source, position / each, into.remaining() / each, into),
              region());
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * What {@link #copyTo(CuArray)} would do, and why; it would then do exactly that. Proves the link
   * between the devices if no copy has needed it yet, and copies nothing.
   *
   * @param destination as for {@code copyTo}
   * @return the plan
   * @throws IllegalArgumentException as {@code copyTo}
   */
  public CopyPlan planCopyTo(CuArray<T> destination) {
    requireSameAs(destination);
    requireOpen();
    destination.requireOpen();
    if (region.bytes() == 0) {
      return new CopyPlan(
          device.equals(destination.device) ? CopyStrategy.SAME_DEVICE : CopyStrategy.HOST_STAGED,
          "there is nothing to copy, so no driver call is made",
          0,
          device,
          destination.device);
    }
    Route route =
        device.runtime().planner().route(region.residence(), destination.region.residence());
    return new CopyPlan(
        route.strategy(), route.reason(), region.bytes(), device, destination.device);
  }

  /**
   * All elements as a new Java array.
   *
   * @param <A> the kind of Java array
   * @param elements the dtype of this array
   * @return row-major
   * @throws IllegalArgumentException where the dtype differs, or no Java array is that long
   */
  public <A> A toArray(DType<T, A> elements) {
    requireDType(elements);
    requireOpen();
    A all = elements.newArray(size());
    download(elements, all);
    return all;
  }

  /**
   * A copy of this array on a device.
   *
   * @param destination a device of the same runtime, this array's own included
   * @return a new owner, allocated the way {@code destination} allocates
   * @throws IllegalArgumentException where the device is one of another runtime
   */
  public CuArray<T> to(CuDevice destination) {
    device.runtime().requireOwn(destination);
    requireOpen();
    CuArray<T> copy = destination.empty(dtype, shape.extents());
    try {
      copyTo(copy);
      return copy;
    } catch (RuntimeException | Error e) {
      copy.close();
      throw e;
    }
  }

  // ---- views and owners ------------------------------------------------------------------------

  /**
   * Some rows: a view of the elements whose first index is in a range.
   *
   * @param from first index of axis 0
   * @param to the index after the last
   * @return a view; copies of disjoint slices don't wait for each other
   * @throws IndexOutOfBoundsException where the range does not lie in axis 0, or there is no axis
   */
  public CuArray<T> slice(long from, long to) {
    Shape rows = shape.slice(from, to);
    long rowBytes = shape.size() == 0 ? 0 : shape.stride(0) * dtype.byteSize();
    return viewOf(dtype, rows, from * rowBytes);
  }

  /**
   * The same elements in another shape.
   *
   * @param newShape of the same number of elements; one extent may be -1 and is found from the rest
   * @return a view
   * @throws IllegalArgumentException where the numbers of elements differ
   */
  public CuArray<T> reshape(long... newShape) {
    return viewOf(dtype, shape.reshape(newShape), 0);
  }

  /**
   * Another owner of the same bytes: they live until both are closed.
   *
   * @return an array to be closed by itself
   */
  public CuArray<T> retain() {
    requireOpen();
    return owning(device, dtype, shape, region.owner().retain(), region.offset(), allocator);
  }

  /**
   * This array, with its dtype made known to the compiler.
   *
   * @param <U> the element
   * @param elements the dtype that the array has
   * @return this array
   * @throws IllegalArgumentException where it has another dtype
   */
  @SuppressWarnings("unchecked")
  public <U> CuArray<U> typed(DType<U, ?> elements) {
    requireDType(elements);
    return (CuArray<U>) this;
  }

  /**
   * The same bytes as elements of another dtype, as NumPy's {@code view}: the last axis grows or
   * shrinks where their sizes differ.
   *
   * @param <U> the element
   * @param elements the dtype to see
   * @return a view
   * @throws IllegalArgumentException where the last axis does not hold a whole number of them, or
   *     the address is not aligned for them
   */
  public <U> CuArray<U> view(DType<U, ?> elements) {
    Objects.requireNonNull(elements, "dtype");
    if (region.address() % elements.byteSize() != 0) {
      throw new IllegalArgumentException(
          "%s begins at 0x%x, which is not aligned to the %d bytes of %s"
              .formatted(this, region.address(), elements.byteSize(), elements));
    }
    return viewOf(elements, reinterpreted(elements), 0);
  }

  private Shape reinterpreted(DType<?, ?> elements) {
    if (elements.byteSize() == dtype.byteSize()) {
      return shape;
    }
    long[] extents = shape.extents();
    int last = extents.length - 1;
    long rowBytes = last < 0 ? dtype.byteSize() : extents[last] * dtype.byteSize();
    if (last < 0 || rowBytes % elements.byteSize() != 0) {
      throw new IllegalArgumentException(
          "%s as %s: the last axis holds %d bytes, and elements take %d"
              .formatted(this, elements, rowBytes, elements.byteSize()));
    }
    extents[last] = rowBytes / elements.byteSize();
    return Shape.of(extents);
  }

  // ---- elements --------------------------------------------------------------------------------

  /**
   * Sets every element to a value, on the device. Returns when that is submitted.
   *
   * @param value an element
   */
  public void fill(T value) {
    device.runtime().requireOpen();
    try {
      device.runtime().fills().fill(region(), encoded(value));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Sets every element to a number, on the device. Returns when that is submitted.
   *
   * @param value a number that the element can hold, see {@link DType#of}
   * @throws IllegalArgumentException where it can't; nothing was written
   */
  public void fill(Number value) {
    fill(dtype.of(value));
  }

  /**
   * One element. Waits for it.
   *
   * @param index one per axis
   * @return its value
   * @throws IndexOutOfBoundsException where there is no such element
   */
  public T get(long... index) {
    ByteBuffer bytes = ByteBuffer.allocate(dtype.byteSize()).order(ByteOrder.nativeOrder());
    try {
      device
          .runtime()
          .hostTransfers()
          .download(element(index), (position, from) -> bytes.put(from));
    } finally {
      Reference.reachabilityFence(this);
    }
    return dtype.decode(bytes.flip());
  }

  /**
   * Sets one element. Returns when that is submitted.
   *
   * @param value its new value
   * @param index one per axis
   * @throws IndexOutOfBoundsException where there is no such element
   */
  public void set(T value, long... index) {
    ByteBuffer bytes = encoded(value);
    try {
      device.runtime().hostTransfers().upload((position, into) -> into.put(bytes), element(index));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * One element as a double. Waits for it.
   *
   * @param index one per axis
   * @return the nearest double
   * @throws ArithmeticException where the element is a complex number with an imaginary part
   */
  public double getDouble(long... index) {
    return dtype.toDouble(get(index));
  }

  /**
   * One element as a long. Waits for it.
   *
   * @param index one per axis
   * @return its exact value
   * @throws ArithmeticException where the element is not a whole number in the range of a long
   */
  public long getLong(long... index) {
    return dtype.toLong(get(index));
  }

  private ByteBuffer encoded(T value) {
    ByteBuffer bytes = ByteBuffer.allocate(dtype.byteSize()).order(ByteOrder.nativeOrder());
    dtype.encode(value, bytes);
    return bytes.flip();
  }

  private Region element(long... index) {
    long offset = shape.offset(index) * dtype.byteSize();
    return region().part(offset, dtype.byteSize());
  }

  // ---- what it is ------------------------------------------------------------------------------

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

  /**
   * The distance between neighbours along each axis.
   *
   * @return one per axis, in elements (not bytes); row-major; a copy
   */
  public long[] strides() {
    return shape.strides();
  }

  /**
   * The number of axes.
   *
   * @return 0 for a single element
   */
  public int ndim() {
    return shape.ndim();
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
   * Where the array lives.
   *
   * @return its device
   */
  public CuDevice device() {
    return device;
  }

  /**
   * How its memory was allocated, or, for wrapped memory, how its device would allocate.
   *
   * @return the kind of allocator
   */
  public AllocatorKind allocator() {
    return allocator;
  }

  /**
   * The array whose closing ends the use of this one.
   *
   * @return this array, or for a view the array that it looks at
   */
  public CuArray<?> owner() {
    return viewed == null ? this : viewed;
  }

  /**
   * The address of the first element on the device. It orders nothing: work that is given the bare
   * address runs before, after or during what the library has submitted on the array, and the
   * library does not know of it. Call {@link #synchronize} before handing it out, and synchronise
   * the other work before using the array again.
   *
   * @return the address; 0 for an array without elements
   */
  public long pointer() {
    requireOpen();
    return region.address();
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
   * Lets the memory go. It is freed after every use already submitted, once no other owner is left.
   * Idempotent; does not wait; throws nothing, not for a lost device either. Closing a view ends
   * the use of that view alone.
   */
  @Override
  public void close() {
    if (viewed != null) {
      viewClosed.set(true);
      return;
    }
    region.owner().close();
    if (watch != null) {
      watch.clean();
    }
  }

  /**
   * Whether the array can still be used.
   *
   * @return true after {@link #close} of this array or of its owner
   */
  public boolean isClosed() {
    return viewClosed.get() || region.owner().isClosed() || region.block().isFreed();
  }

  /** What a lease holds of this array. */
  StreamLease.Leasable leased() {
    return region();
  }

  /** The region, for use now. */
  Region region() {
    requireOpen();
    return region;
  }

  private void requireOpen() {
    if (viewClosed.get()) {
      throw new CuClosedException("the view " + this + " was closed");
    }
    device.runtime().requireOpen();
    region.requireOpen();
  }

  // ---- checks ----------------------------------------------------------------------------------

  private void requireDType(DType<?, ?> elements) {
    dtype.requireSame(elements, this);
  }

  private void requireSameAs(CuArray<?> other) {
    Objects.requireNonNull(other, "destination");
    requireSame(other.dtype, other.shape, "into", other);
    if (other.device.runtime() != device.runtime()) {
      throw new IllegalArgumentException(
          "%s into %s of another runtime; open one runtime for both".formatted(this, other));
    }
  }

  private void requireSameAs(HostArray<?> other) {
    Objects.requireNonNull(other, "host array");
    requireSame(other.dtype(), other.extents(), "and", other);
    if (other.runtime() != device.runtime()) {
      throw new IllegalArgumentException(
          "%s and %s of another runtime; open one runtime for both".formatted(this, other));
    }
  }

  private void requireSame(DType<?, ?> otherDType, Shape otherShape, String to, Object other) {
    boolean sameShape = otherShape.equals(shape);
    if (otherDType == dtype && sameShape) {
      return;
    }
    List<String> differences = new ArrayList<>();
    if (otherDType != dtype) {
      differences.add("the dtypes %s and %s".formatted(dtype, otherDType));
    }
    if (!sameShape) {
      differences.add("the shapes %s and %s".formatted(shape, otherShape));
    }
    throw new IllegalArgumentException(
        "%s differ: %s %s %s".formatted(String.join(" and ", differences), this, to, other));
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
