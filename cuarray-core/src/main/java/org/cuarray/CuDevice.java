package org.cuarray;

import java.nio.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.DriverStatus;
import org.cuarray.memory.Block;
import org.cuarray.memory.Owner;
import org.cuarray.registry.DeviceContexts;
import org.cuarray.stream.OrderedStream;
import org.jspecify.annotations.Nullable;

/**
 * A CUDA device of a runtime, and the factory of arrays on it.
 *
 * <p>Naming a device costs nothing: its context is created when the first array is allocated on it.
 * Thread-safe. Devices are equal where they are the same device of the same runtime.
 */
public final class CuDevice {
  private final CuRuntime runtime;
  private final CudaDriver driver;
  private final DeviceContexts contexts;
  private static final AtomicLong UNNAMED_STREAMS = new AtomicLong();

  private final int ordinal;
  private final @Nullable AllocatorKind chosen;

  CuDevice(CuRuntime runtime, int ordinal, @Nullable AllocatorKind chosen) {
    this.runtime = runtime;
    this.driver = runtime.driver();
    this.contexts = DeviceContexts.of(driver);
    this.ordinal = ordinal;
    this.chosen = chosen;
  }

  // ---- what it is ------------------------------------------------------------------------------

  /**
   * The driver's number of the device.
   *
   * @return from 0
   */
  public int ordinal() {
    return ordinal;
  }

  /**
   * The driver's name of the device.
   *
   * @return such as {@code NVIDIA H200}
   */
  public String name() {
    byte[] name = new byte[256];
    DriverStatus.check(
        driver.deviceGetName(name, contexts.device(ordinal)), "cuDeviceGetName", ordinal);
    int length = 0;
    while (length < name.length && name[length] != 0) {
      length++;
    }
    return new String(name, 0, length, StandardCharsets.US_ASCII);
  }

  /**
   * The identity of the hardware, as {@code nvidia-smi -L} prints it.
   *
   * @return {@code GPU-} and 32 hexadecimal digits in groups
   */
  public String uuid() {
    byte[] uuid = new byte[16];
    DriverStatus.check(
        driver.deviceGetUuid(uuid, contexts.device(ordinal)), "cuDeviceGetUuid", ordinal);
    StringBuilder text = new StringBuilder("GPU-");
    for (int i = 0; i < uuid.length; i++) {
      text.append(i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "");
      text.append("%02x".formatted(uuid[i]));
    }
    return text.toString();
  }

  /**
   * The device's memory.
   *
   * @return in bytes
   */
  public long totalMemory() {
    long[] bytes = new long[1];
    DriverStatus.check(
        driver.deviceTotalMem(bytes, contexts.device(ordinal)), "cuDeviceTotalMem", ordinal);
    return bytes[0];
  }

  /**
   * How much of the device's memory is in use. Creates the device's context, since the driver tells
   * free memory only from inside one.
   *
   * @return as of now
   */
  public DeviceMemory memoryUsage() {
    runtime.requireOpen();
    long[] freeAndTotal = runtime.memory().freeAndTotal(ordinal);
    return new DeviceMemory(
        runtime.memory().used(ordinal),
        runtime.memory().reserved(ordinal),
        freeAndTotal[0],
        freeAndTotal[1]);
  }

  /**
   * The driver's word that this device can reach another one's memory. No proof that it delivers
   * data: see {@link CuRuntime#topology}.
   *
   * @param peer another device of this runtime
   * @return false for the device itself
   */
  public boolean canAccessPeer(CuDevice peer) {
    runtime.requireOwn(peer);
    int[] can = new int[1];
    DriverStatus.check(
        driver.deviceCanAccessPeer(can, contexts.device(ordinal), contexts.device(peer.ordinal)),
        "cuDeviceCanAccessPeer",
        ordinal);
    return can[0] != 0;
  }

  /**
   * The same device, whose factories allocate in a given way.
   *
   * @param kind the allocator
   * @return equal to this device
   * @throws IllegalArgumentException where the device has no such allocator
   */
  public CuDevice using(AllocatorKind kind) {
    Objects.requireNonNull(kind, "allocator");
    if (kind == AllocatorKind.STREAM_ORDERED && !runtime.memory().hasPools(ordinal)) {
      throw new IllegalArgumentException(
          "%s has no memory pools, so no stream-ordered allocator; use AllocatorKind.CLASSIC"
              .formatted(this));
    }
    return new CuDevice(runtime, ordinal, kind);
  }

  // ---- arrays ----------------------------------------------------------------------------------

  /**
   * An array whose elements are undefined until they are written.
   *
   * @param <T> the element
   * @param dtype its type
   * @param shape extents, row-major; none for a single element; an extent may be 0
   * @return a new owner
   * @throws CuOutOfMemoryException where the device has no room
   * @throws IllegalArgumentException for a negative extent, or a size past 2^63 - 1 bytes
   */
  public <T> CuArray<T> empty(DType<T, ?> dtype, long... shape) {
    Objects.requireNonNull(dtype, "dtype");
    return allocate(dtype, Shape.of(shape));
  }

  /**
   * An array of zeros.
   *
   * @param <T> the element
   * @param dtype its type
   * @param shape as for {@link #empty}
   * @return a new owner
   */
  public <T> CuArray<T> zeros(DType<T, ?> dtype, long... shape) {
    return full(dtype, dtype.of(0), shape);
  }

  /**
   * An array of one value.
   *
   * @param <T> the element
   * @param dtype its type
   * @param value of every element
   * @param shape as for {@link #empty}
   * @return a new owner
   */
  public <T> CuArray<T> full(DType<T, ?> dtype, T value, long... shape) {
    Objects.requireNonNull(dtype, "dtype");
    return filled(allocate(dtype, Shape.of(shape)), array -> array.fill(value));
  }

  /**
   * A one-dimensional array of given elements. Returns when they have been read.
   *
   * @param <T> the element
   * @param <A> the kind of Java array
   * @param dtype its type
   * @param elements the elements; pairs of real and imaginary parts for a complex dtype
   * @return a new owner
   */
  public <T, A> CuArray<T> array(DType<T, A> dtype, A elements) {
    return array(dtype, elements, dtype.arrayLength(elements));
  }

  /**
   * An array of given elements. Returns when they have been read.
   *
   * @param <T> the element
   * @param <A> the kind of Java array
   * @param dtype its type
   * @param elements the elements, row-major
   * @param shape of exactly that many elements
   * @return a new owner
   * @throws IllegalArgumentException where the shape has another number of elements
   */
  public <T, A> CuArray<T> array(DType<T, A> dtype, A elements, long... shape) {
    Shape extents = requireSize(dtype, dtype.arrayLength(elements), shape);
    return filled(allocate(dtype, extents), array -> array.copyFrom(dtype, elements));
  }

  /**
   * An array of given elements. Returns when they have been read.
   *
   * @param <T> the element
   * @param dtype its type
   * @param elements the elements, row-major, from the buffer's position on, in native byte order
   * @param shape of exactly as many elements as remain; none for one dimension
   * @return a new owner
   * @throws IllegalArgumentException where the shape has another number of elements, or the buffer
   *     another byte order or type
   */
  public <T> CuArray<T> array(DType<T, ?> dtype, Buffer elements, long... shape) {
    long count = HostBuffers.elementsIn(dtype, elements);
    Shape extents = requireSize(dtype, count, shape.length == 0 ? new long[] {count} : shape);
    return filled(allocate(dtype, extents), array -> array.copyFrom(elements));
  }

  /**
   * An array of the elements of a host array. Returns when the copy is submitted.
   *
   * @param <T> the element
   * @param elements of this runtime
   * @return a new owner, of the same shape
   */
  public <T> CuArray<T> array(HostArray<T> elements) {
    return filled(
        allocate(elements.dtype(), elements.extents()), array -> array.copyFrom(elements));
  }

  private static Shape requireSize(DType<?, ?> dtype, long elements, long... shape) {
    Shape extents = Shape.of(shape);
    if (extents.size() != elements) {
      throw new IllegalArgumentException(
          "%d elements of %s into shape %s, which has %d"
              .formatted(elements, dtype, extents, extents.size()));
    }
    return extents;
  }

  private static <T> CuArray<T> filled(
      CuArray<T> array, java.util.function.Consumer<CuArray<T>> fill) {
    try {
      fill.accept(array);
      return array;
    } catch (RuntimeException | Error e) {
      array.close();
      throw e;
    }
  }

  private <T> CuArray<T> allocate(DType<T, ?> dtype, Shape shape) {
    runtime.requireOpen();
    AllocatorKind kind = allocator();
    long bytes = shape.byteSize(dtype);
    Block block =
        bytes == 0
            ? Block.empty(
                ordinal, kind == AllocatorKind.CLASSIC ? MemoryKind.CLASSIC : MemoryKind.POOL)
            : runtime.memory().allocator(ordinal, kind).allocate(bytes);
    return CuArray.owning(this, dtype, shape, Owner.of(block), 0, kind);
  }

  private AllocatorKind allocator() {
    return chosen != null ? chosen : runtime.defaultAllocator(ordinal);
  }

  /**
   * An array over device memory that somebody else allocated, and goes on owning: nothing of theirs
   * is freed or changed. Waits for all work of the context that allocated the memory, so that a
   * producer that is still running is done; must not be used once the memory is freed.
   *
   * <p>Memory of this library may be wrapped as well: the array then shares its order, and its use
   * ends when the memory is freed.
   *
   * @param <T> the element
   * @param dtype its type
   * @param pointer the address of the first element, aligned to it
   * @param shape extents, row-major
   * @return an array to be closed, which frees nothing
   * @throws IllegalArgumentException where CUDA does not know the address, the memory is of another
   *     device, or the array would reach past the end of its allocation
   */
  public <T> CuArray<T> wrap(DType<T, ?> dtype, long pointer, long... shape) {
    return WrappedMemory.wrap(
        this, dtype, pointer, Shape.of(shape), WrappedMemory.afterContext(this), null);
  }

  /**
   * Like {@link #wrap(DType, long, long...)}, for memory that its producer wants back.
   *
   * @param <T> the element
   * @param dtype its type
   * @param pointer the address of the first element, aligned to it
   * @param release runs once, on a thread of the library, after the array (and every other owner
   *     retained from it) was closed and its last use has completed
   * @param shape extents, row-major
   * @return an array to be closed
   * @throws IllegalArgumentException as above; {@code release} does not run then
   */
  public <T> CuArray<T> wrap(DType<T, ?> dtype, long pointer, Runnable release, long... shape) {
    Objects.requireNonNull(release, "release");
    return WrappedMemory.wrap(
        this, dtype, pointer, Shape.of(shape), WrappedMemory.afterContext(this), release);
  }

  /**
   * Like {@link #wrap(DType, long, long...)}, for memory that one stream produces: the array comes
   * after everything submitted to that stream so far, and the host does not wait.
   *
   * @param <T> the element
   * @param dtype its type
   * @param pointer the address of the first element, aligned to it
   * @param producer the stream whose work writes the memory, on any device of this runtime; {@link
   *     #wrapStream wrapped}, if somebody else made it
   * @param shape extents, row-major
   * @return an array to be closed, which frees nothing
   * @throws IllegalArgumentException as above
   */
  public <T> CuArray<T> wrap(DType<T, ?> dtype, long pointer, CuStream producer, long... shape) {
    Objects.requireNonNull(producer, "producer");
    return WrappedMemory.wrap(
        this, dtype, pointer, Shape.of(shape), WrappedMemory.after(producer), null);
  }

  /**
   * Like {@link #wrap(DType, long, CuStream, long...)}, for memory that its producer wants back.
   *
   * @param <T> the element
   * @param dtype its type
   * @param pointer the address of the first element, aligned to it
   * @param producer the stream whose work writes the memory
   * @param release as for {@link #wrap(DType, long, Runnable, long...)}
   * @param shape extents, row-major
   * @return an array to be closed
   * @throws IllegalArgumentException as above; {@code release} does not run then
   */
  public <T> CuArray<T> wrap(
      DType<T, ?> dtype, long pointer, CuStream producer, Runnable release, long... shape) {
    Objects.requireNonNull(producer, "producer");
    Objects.requireNonNull(release, "release");
    return WrappedMemory.wrap(
        this, dtype, pointer, Shape.of(shape), WrappedMemory.after(producer), release);
  }

  /**
   * An array in pinned host memory, through this device's context; every device of the runtime may
   * copy to and from it. Its elements are undefined until they are written.
   *
   * @param <T> the element
   * @param dtype its type
   * @param shape extents, row-major
   * @return a new owner
   * @throws CuOutOfMemoryException where the host has no pinned memory left
   */
  public <T> HostArray<T> hostArray(DType<T, ?> dtype, long... shape) {
    runtime.requireOpen();
    Shape extents = Shape.of(shape);
    long bytes = extents.byteSize(dtype);
    Block block =
        bytes == 0
            ? Block.empty(ordinal, MemoryKind.PINNED_HOST)
            : runtime.memory().pinned().allocate(ordinal, bytes);
    return HostArray.owning(runtime, dtype, extents, Owner.of(block));
  }

  // ---- other people's work ---------------------------------------------------------------------

  /**
   * A stream of normal priority for other libraries' work.
   *
   * @return a new stream to be closed
   */
  public CuStream stream() {
    return stream("#" + UNNAMED_STREAMS.incrementAndGet(), 0);
  }

  /**
   * A stream for other libraries' work; it does not synchronise with the legacy default stream.
   *
   * @param name what messages call it
   * @param priority as CUDA has it: lower is more urgent, 0 is normal; clamped to the device's
   *     range
   * @return a new stream to be closed
   */
  public CuStream stream(String name, int priority) {
    runtime.requireOpen();
    return new CuStream(this, name, priority, OrderedStream.lend(driver, ordinal, priority));
  }

  /**
   * A stream that somebody else made, and will destroy after it is closed here. What the library
   * did not see submitted under a lease, it does not know of.
   *
   * @param handle the driver's handle; 0 or 1 for the legacy default stream of this device's
   *     context
   * @return a stream to be closed, which destroys nothing
   * @throws IllegalArgumentException where the stream is one of another device, or the per-thread
   *     default stream, which is another one on each thread
   */
  public CuStream wrapStream(long handle) {
    runtime.requireOpen();
    return new CuStream(
        this, "0x%x".formatted(handle), 0, WrappedStreams.wrap(driver, ordinal, handle));
  }

  /**
   * Runs something with this device's context current on the calling thread, and puts the thread's
   * own back: for library handles, such as {@code cublasCreate}.
   *
   * @param <R> what it gives
   * @param action runs at once; may call this library
   * @return its result
   */
  public <R> R callInContext(Supplier<R> action) {
    runtime.requireOpen();
    contexts.enter(contexts.context(ordinal));
    try {
      return action.get();
    } finally {
      contexts.leave();
    }
  }

  /** Waits for all work of a context, whoever submitted it. */
  void synchronizeContext(long context) {
    contexts.enter(context);
    try {
      DriverStatus.check(driver.ctxSynchronize(), "cuCtxSynchronize", ordinal);
    } finally {
      contexts.leave();
    }
  }

  CuRuntime runtime() {
    return runtime;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CuDevice device
        && device.runtime == runtime
        && device.ordinal == ordinal;
  }

  @Override
  public int hashCode() {
    return 31 * System.identityHashCode(runtime) + ordinal;
  }

  @Override
  public String toString() {
    return "cuda:" + ordinal;
  }
}
