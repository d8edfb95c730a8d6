package org.cuarray.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.DriverFlags;

/**
 * One test's use of a driver: contexts, streams and memory without ceremony, all of it given back
 * by {@link #close}, which also leaves the thread without a current context.
 *
 * <p>Every method but {@link #expect} fails the test where the driver refuses. Not thread-safe.
 */
public final class DriverRig implements AutoCloseable {
  /** One of the streams of a device. */
  private record StreamName(int device, int number) {}

  /** One thing to give back. */
  private record Undo(long handle, Runnable action) {}

  private final CudaDriver driver;
  private final Map<Integer, Long> contexts = new HashMap<>();
  private final Map<StreamName, Long> streams = new HashMap<>();
  private final List<Undo> undos = new ArrayList<>();

  /**
   * Starts the driver.
   *
   * @param driver to be used, initialised or not
   */
  public DriverRig(CudaDriver driver) {
    this.driver = driver;
    ok(driver.init(0));
  }

  /**
   * Fails the test where a call failed.
   *
   * @param status what the call returned
   */
  public static void ok(int status) {
    expect(CudaError.SUCCESS, status);
  }

  /**
   * Fails the test where a call returned another status.
   *
   * @param expected what it should have returned
   * @param status what it returned
   */
  public static void expect(int expected, int status) {
    assertThat(CudaError.name(status)).isEqualTo(CudaError.name(expected));
  }

  /**
   * Skips the test where there is no such device.
   *
   * @param device its ordinal
   */
  public void assumeDevice(int device) {
    int there = devices();
    assumeTrue(
        device < there, () -> "needs %d devices, and there is %d".formatted(device + 1, there));
  }

  /**
   * How many devices there are.
   *
   * @return one or more
   */
  public int devices() {
    int[] count = new int[1];
    ok(driver.deviceGetCount(count));
    return count[0];
  }

  /**
   * The primary context of a device, retained once; the current context stays. The test is skipped
   * where there is no such device.
   *
   * @param device its ordinal
   * @return the context
   */
  public long context(int device) {
    return contexts.computeIfAbsent(
        device,
        ordinal -> {
          assumeDevice(ordinal);
          long[] context = new long[1];
          ok(driver.devicePrimaryCtxRetain(context, ordinal));
          undos.add(new Undo(context[0], () -> ok(driver.devicePrimaryCtxRelease(ordinal))));
          return context[0];
        });
  }

  /**
   * Makes a device's primary context current.
   *
   * @param device its ordinal
   */
  public void use(int device) {
    ok(driver.ctxSetCurrent(context(device)));
  }

  /** Leaves the thread without a current context, whatever was pushed. */
  public void useNone() {
    long[] current = new long[1];
    do {
      ok(driver.ctxSetCurrent(0));
      ok(driver.ctxGetCurrent(current));
    } while (current[0] != 0);
  }

  /**
   * A second context on a device, left current.
   *
   * @param device its ordinal
   * @return the context
   */
  public long createContext(int device) {
    long[] context = new long[1];
    ok(driver.ctxCreate(context, 0, device));
    undos.add(new Undo(context[0], () -> ok(driver.ctxDestroy(context[0]))));
    return context[0];
  }

  /**
   * A non-blocking stream of a device, the same at every call.
   *
   * @param device its ordinal
   * @return the stream
   */
  public long stream(int device) {
    return stream(device, 0);
  }

  /**
   * One of several non-blocking streams of a device, the same at every call.
   *
   * @param device its ordinal
   * @param number which, from 0
   * @return the stream
   */
  public long stream(int device, int number) {
    return streams.computeIfAbsent(
        new StreamName(device, number),
        name -> {
          long[] stream = new long[1];
          in(
              device,
              () -> driver.streamCreateWithPriority(stream, DriverFlags.STREAM_NON_BLOCKING, 0));
          undos.add(new Undo(stream[0], () -> ok(driver.streamDestroy(stream[0]))));
          return stream[0];
        });
  }

  /**
   * An event of a device.
   *
   * @param device its ordinal
   * @param flags {@link DriverFlags}
   * @return the event
   */
  public long event(int device, int flags) {
    long[] event = new long[1];
    in(device, () -> driver.eventCreate(event, flags));
    undos.add(new Undo(event[0], () -> ok(driver.eventDestroy(event[0]))));
    return event[0];
  }

  /**
   * Classic memory of a device.
   *
   * @param device its ordinal
   * @param bytes how much
   * @return its address
   */
  public long classic(int device, long bytes) {
    long[] pointer = new long[1];
    in(device, () -> driver.memAlloc(pointer, bytes));
    undos.add(new Undo(pointer[0], () -> ok(driver.memFree(pointer[0]))));
    return pointer[0];
  }

  /**
   * A new pool of a device.
   *
   * @param device its ordinal
   * @return the pool
   */
  public long pool(int device) {
    long[] pool = new long[1];
    context(device);
    ok(driver.memPoolCreate(pool, device));
    undos.add(new Undo(pool[0], () -> ok(driver.memPoolDestroy(pool[0]))));
    return pool[0];
  }

  /**
   * Memory of a pool, ready for use.
   *
   * @param device the device of the stream that allocates it
   * @param pool the pool
   * @param bytes how much
   * @return its address
   */
  public long pooled(int device, long pool, long bytes) {
    long[] pointer = new long[1];
    long stream = stream(device);
    ok(driver.memAllocFromPoolAsync(pointer, bytes, pool, stream));
    ok(driver.streamSynchronize(stream));
    undos.add(
        new Undo(
            pointer[0],
            () -> {
              ok(driver.memFreeAsync(pointer[0], stream));
              ok(driver.streamSynchronize(stream));
            }));
    return pointer[0];
  }

  /**
   * Memory of a pool of its own, to which no device was granted access.
   *
   * @param device its ordinal
   * @param bytes how much
   * @return its address
   */
  public long pooled(int device, long bytes) {
    return pooled(device, pool(device), bytes);
  }

  /**
   * Pinned host memory.
   *
   * @param device whose context pins it
   * @param bytes how much
   * @return its address
   */
  public long pinned(int device, long bytes) {
    long[] address = new long[1];
    in(device, () -> driver.memHostAlloc(address, bytes, DriverFlags.HOST_ALLOC_PORTABLE));
    undos.add(new Undo(address[0], () -> ok(driver.memFreeHost(address[0]))));
    return address[0];
  }

  /**
   * Pageable host memory.
   *
   * @param bytes how much
   * @return its address
   */
  public long pageable(long bytes) {
    long[] address = new long[1];
    ok(driver.hostMalloc(address, bytes));
    undos.add(new Undo(address[0], () -> driver.hostFree(address[0])));
    return address[0];
  }

  /**
   * Lets a device's context into another's classic memory.
   *
   * @param device the ordinal of the one that will reach
   * @param peer the ordinal of the one that will be reached
   */
  public void enablePeer(int device, int peer) {
    long context = context(peer);
    in(device, () -> driver.ctxEnablePeerAccess(context, 0));
    undos.add(new Undo(0, () -> in(device, () -> driver.ctxDisablePeerAccess(context))));
  }

  /**
   * The same both ways.
   *
   * @param one the ordinal of a device
   * @param other the ordinal of another
   */
  public void enablePeers(int one, int other) {
    enablePeer(one, other);
    enablePeer(other, one);
  }

  /**
   * Leaves to the test what {@link #close} would have given back.
   *
   * @param handle an address or a handle
   */
  public void forget(long handle) {
    undos.removeIf(undo -> undo.handle == handle);
  }

  /**
   * Writes from the host, as the owner, and waits until every stream sees it.
   *
   * @param device the ordinal of the memory's device
   * @param pointer first address
   * @param bytes what to write
   */
  public void write(int device, long pointer, byte... bytes) {
    long host = pageable(bytes.length);
    driver.hostBuffer(host, bytes.length).put(bytes);
    in(device, () -> driver.memcpyHtoD(pointer, host, bytes.length));
    // It returns when the pageable memory has been read; the rest is in the order of the default
    // stream, which a non-blocking stream does not wait for.
    in(device, () -> driver.streamSynchronize(0));
    giveBack(host);
  }

  /**
   * Reads to the host, as the owner.
   *
   * @param device the ordinal of the memory's device
   * @param pointer first address
   * @param count how many bytes
   * @return what is there
   */
  public byte[] read(int device, long pointer, int count) {
    byte[] bytes = new byte[count];
    long host = pageable(count);
    in(device, () -> driver.memcpyDtoH(host, pointer, count));
    ByteBuffer window = driver.hostBuffer(host, count);
    window.get(bytes);
    giveBack(host);
    return bytes;
  }

  /**
   * Fills memory and waits for it, as the owner.
   *
   * @param device the ordinal of the memory's device
   * @param pointer first address
   * @param value the byte
   * @param count how many
   */
  public void fill(int device, long pointer, int value, long count) {
    ok(driver.memsetD8Async(pointer, (byte) value, count, stream(device)));
    ok(driver.streamSynchronize(stream(device)));
  }

  /**
   * Waits for the streams of some devices.
   *
   * @param devices their ordinals
   */
  public void synchronize(int... devices) {
    for (int device : devices) {
      ok(driver.streamSynchronize(stream(device)));
    }
  }

  /** Gives everything back, last first, each in spite of the others' failures. */
  @Override
  public void close() {
    AssertionError failure = null;
    for (int i = undos.size() - 1; i >= 0; i--) {
      try {
        undos.get(i).action.run();
      } catch (AssertionError e) {
        failure = failure == null ? e : failure;
      }
    }
    undos.clear();
    useNone();
    if (failure != null) {
      throw failure;
    }
  }

  private void giveBack(long host) {
    forget(host);
    driver.hostFree(host);
  }

  /** Makes a call with a device's context current and restores the thread's own. */
  private void in(int device, IntSupplier call) {
    long context = context(device);
    ok(driver.ctxPushCurrent(context));
    try {
      ok(call.getAsInt());
    } finally {
      ok(driver.ctxPopCurrent(new long[1]));
    }
  }
}
