package org.cuarray.tests.foreign;

import static org.cuarray.tests.conformance.DriverRig.ok;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.DriverFlags;

/**
 * A program that uses a device by itself, in a context of its choice, and knows nothing of the
 * library. It leaves the thread's current context as it was.
 */
final class Application implements AutoCloseable {
  /** The one kernel: waits for some cycles, then writes a value to every element. */
  static final String PRODUCE = "produce";

  /** Sizes of its parameters: address, elements, cycles, value. */
  static final List<Integer> PARAMETERS = List.of(8, 8, 8, 4);

  private static final byte[] PTX =
      """
      .version 7.0
      .target sm_75
      .address_size 64
      .visible .entry produce(.param .u64 target, .param .u64 count, .param .u64 cycles,
                              .param .u32 value) {
        .reg .b64 %rd<11>;
        .reg .b32 %r<8>;
        .reg .pred %p<3>;
        ld.param.u64 %rd1, [target];
        ld.param.u64 %rd2, [count];
        ld.param.u64 %rd3, [cycles];
        ld.param.u32 %r1, [value];
        cvta.to.global.u64 %rd1, %rd1;
        mov.u64 %rd4, %clock64;
      waiting:
        mov.u64 %rd5, %clock64;
        sub.u64 %rd6, %rd5, %rd4;
        setp.lt.u64 %p1, %rd6, %rd3;
        @%p1 bra waiting;
        mov.u32 %r2, %tid.x;
        mov.u32 %r3, %ntid.x;
        mov.u32 %r4, %ctaid.x;
        mov.u32 %r5, %nctaid.x;
        mad.lo.u32 %r6, %r4, %r3, %r2;
        mul.lo.u32 %r7, %r3, %r5;
        cvt.u64.u32 %rd7, %r6;
        cvt.u64.u32 %rd8, %r7;
      writing:
        setp.ge.u64 %p2, %rd7, %rd2;
        @%p2 bra done;
        shl.b64 %rd9, %rd7, 2;
        add.u64 %rd10, %rd1, %rd9;
        st.global.u32 [%rd10], %r1;
        add.u64 %rd7, %rd7, %rd8;
        bra writing;
      done:
        ret;
      }
      """
          .getBytes(StandardCharsets.US_ASCII);

  /** Tens of milliseconds on any GPU. */
  private static final long CYCLES = 100_000_000;

  private final CudaDriver driver;
  private final long context;
  private final long stream;
  private final long module;
  private final long function;
  private final List<Runnable> undos = new ArrayList<>();

  /** Works in a context, which it does not own. */
  Application(CudaDriver driver, long context) {
    this.driver = driver;
    this.context = context;
    long[] handle = new long[1];
    inContext(() -> driver.streamCreateWithPriority(handle, DriverFlags.STREAM_NON_BLOCKING, 0));
    stream = handle[0];
    inContext(() -> driver.moduleLoadDataEx(handle, PTX, new byte[1024]));
    module = handle[0];
    inContext(() -> driver.moduleGetFunction(handle, module, PRODUCE));
    function = handle[0];
    // Loaded lazily, the first launch would wait for the device.
    inContext(() -> driver.funcLoad(function));
  }

  /** Where it submits its work. */
  long stream() {
    return stream;
  }

  /** Memory of its context. */
  long classic(long bytes) {
    long[] pointer = new long[1];
    inContext(() -> driver.memAlloc(pointer, bytes));
    undos.add(() -> inContext(() -> driver.memFree(pointer[0])));
    return pointer[0];
  }

  /** Memory of a pool, allocated and freed on its stream. */
  long pooled(long pool, long bytes) {
    long[] pointer = new long[1];
    inContext(() -> driver.memAllocFromPoolAsync(pointer, bytes, pool, stream));
    undos.add(() -> inContext(() -> driver.memFreeAsync(pointer[0], stream)));
    return pointer[0];
  }

  /** Starts to write a value to every element, which takes a while. */
  void produce(long pointer, long count, int value) {
    byte[] parameters = new byte[32];
    ByteBuffer.wrap(parameters)
        .order(ByteOrder.nativeOrder())
        .putLong(pointer)
        .putLong(count)
        .putLong(CYCLES)
        .putInt(value);
    inContext(() -> driver.launchKernel(function, 64, 1, 1, 256, 1, 1, 0, stream, parameters, 28));
  }

  /** Whether its stream still has work. */
  boolean isWorking() {
    int[] status = new int[1];
    inContext(
        () -> {
          status[0] = driver.streamQuery(stream);
          return status[0] == CudaError.NOT_READY ? CudaError.SUCCESS : status[0];
        });
    return status[0] == CudaError.NOT_READY;
  }

  /** The elements as they are when all work of its stream is done. */
  int[] read(long pointer, int count) {
    int bytes = count * Integer.BYTES;
    int[] elements = new int[count];
    long[] host = new long[1];
    ok(driver.streamSynchronize(stream));
    ok(driver.hostMalloc(host, bytes));
    try {
      inContext(() -> driver.memcpyDtoH(host[0], pointer, bytes));
      driver.hostBuffer(host[0], bytes).order(ByteOrder.nativeOrder()).asIntBuffer().get(elements);
    } finally {
      driver.hostFree(host[0]);
    }
    return elements;
  }

  private void inContext(IntSupplier call) {
    ok(driver.ctxPushCurrent(context));
    try {
      ok(call.getAsInt());
    } finally {
      ok(driver.ctxPopCurrent(new long[1]));
    }
  }

  /**
   * Waits for its work and gives all back, which fails the test where somebody else has done so.
   */
  @Override
  public void close() {
    ok(driver.streamSynchronize(stream));
    undos.forEach(Runnable::run);
    ok(driver.streamSynchronize(stream));
    inContext(() -> driver.moduleUnload(module));
    ok(driver.streamDestroy(stream));
  }
}
