package org.cuarray.tests.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.cuarray.DType.INT8;
import static org.cuarray.tests.conformance.DriverRig.ok;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.cuarray.Access;
import org.cuarray.AllocatorKind;
import org.cuarray.CuArray;
import org.cuarray.CuClosedException;
import org.cuarray.CuDevice;
import org.cuarray.CuKernel;
import org.cuarray.CuLease;
import org.cuarray.CuModule;
import org.cuarray.CuRuntime;
import org.cuarray.CuStream;
import org.cuarray.Launch;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.DriverFlags;
import org.cuarray.driver.InterceptedDriver;
import org.cuarray.driver.simulated.KernelRun;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.multidevice.Threads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * Streams whose users capture them into a graph after the lease, or close them: nothing is
 * submitted to them any more, and what they did under the lease keeps its place in the order.
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
class CapturedStreamTest {
  private static final int SIZE = 1000;
  private static final Set<String> BREAKS_A_CAPTURE =
      Set.of("cuStreamSynchronize", "cuEventRecord", "cuStreamWaitEvent", "cuStreamQuery");

  private static final byte[] IMAGE =
      ".version 9.0\n.target sm_90\n".getBytes(StandardCharsets.US_ASCII);

  private final AtomicLong captured = new AtomicLong(-1);
  private final AtomicLong broken = new AtomicLong();
  private final AtomicBoolean refuses = new AtomicBoolean();
  private final SimulatedDriver machine =
      SimulatedDriver.builder()
          .preset(Preset.NVLINK)
          .devices(2)
          .seed(1)
          .checkOrder()
          .kernel("sevens", List.of(8), CapturedStreamTest::writeSevens)
          .build();
  private final CudaDriver driver =
      InterceptedDriver.around(
          machine,
          (call, arguments, proceed) -> {
            if (BREAKS_A_CAPTURE.contains(call) && isCaptured(arguments)) {
              broken.incrementAndGet();
              return CudaError.STREAM_CAPTURE_UNSUPPORTED;
            }
            if (call.equals("cuStreamSynchronize") && refuses.get()) {
              return CudaError.UNKNOWN;
            }
            int status = proceed.call();
            if (call.equals("cuStreamIsCapturing") && isCaptured(arguments)) {
              ((int[]) arguments[1])[0] = 1;
            }
            return status;
          });
  private final CuRuntime cuda = CuRuntime.builder().driver(driver).open();
  private final CuDevice gpu0 = cuda.device(0);
  private final CuDevice gpu1 = cuda.device(1);
  private long handle;

  private boolean isCaptured(Object[] arguments) {
    for (Object argument : arguments) {
      if (argument instanceof Long value && value == captured.get()) {
        return true;
      }
    }
    return false;
  }

  @BeforeEach
  void makeAStream() {
    handle = gpu0.callInContext(this::createStream);
  }

  private long createStream() {
    long[] created = new long[1];
    ok(driver.streamCreateWithPriority(created, DriverFlags.STREAM_NON_BLOCKING, 0));
    return created[0];
  }

  @AfterEach
  void noCaptureWasBrokenAndNothingIsLeft() {
    captured.set(-1);
    ok(driver.streamDestroy(handle));
    cuda.close();
    assertThat(broken).hasValue(0);
    assertThat(machine.findings()).isEmpty();
  }

  private void workUnderALease(CuStream stream, CuArray<Byte> array) {
    try (CuLease lease = stream.lease(Access.write(array))) {
      ok(driver.memsetD8Async(lease.pointer(array), (byte) 7, SIZE, lease.stream()));
    }
  }

  @Test
  void whatComesLaterWaitsForTheLeaseAndLeavesTheCaptureAlone() {
    try (CuArray<Byte> array = gpu0.zeros(INT8, SIZE);
        CuArray<Byte> copy = gpu1.zeros(INT8, SIZE);
        CuStream stream = gpu0.wrapStream(handle)) {
      workUnderALease(stream, array);
      captured.set(handle);
      array.copyTo(copy);
      assertThat(copy.toArray(INT8)).containsOnly(7);
      captured.set(-1);
    }
  }

  @Test
  void whatComesLaterWaitsForTheLaunchAndLeavesTheCaptureAlone() {
    try (CuModule module = cuda.load(IMAGE);
        CuArray<Byte> array = gpu0.zeros(INT8, SIZE);
        CuArray<Byte> copy = gpu1.zeros(INT8, SIZE);
        CuStream stream = gpu0.wrapStream(handle)) {
      module.kernel("sevens").launch(stream, Launch.over(1), Access.write(array));
      captured.set(handle);
      array.copyTo(copy);
      assertThat(copy.toArray(INT8)).containsOnly(7);
      captured.set(-1);
    }
  }

  @Test
  void aCaptureThatBeginsWhileALeaseIsWaitedForIsLeftAlone() {
    refusedAfterACaptureBegan((stream, array) -> stream.lease(Access.write(array)).close());
  }

  @Test
  void aCaptureThatBeginsWhileALaunchWaitsForALeaseIsLeftAlone() {
    try (CuModule module = cuda.load(IMAGE)) {
      CuKernel sevens = module.kernel("sevens");
      refusedAfterACaptureBegan(
          (stream, array) -> sevens.launch(stream, Launch.over(1), Access.write(array)));
    }
  }

  private void refusedAfterACaptureBegan(BiConsumer<CuStream, CuArray<Byte>> use) {
    try (CuArray<Byte> array = gpu0.zeros(INT8, SIZE);
        CuStream stream = gpu0.wrapStream(handle);
        CuStream leased = gpu0.stream()) {
      FutureTask<Void> other = new FutureTask<>(() -> use.accept(stream, array), null);
      try (CuLease lease = leased.lease(Access.write(array))) {
        ok(driver.memsetD8Async(lease.pointer(array), (byte) 7, SIZE, lease.stream()));
        Threads.startAndAwaitItsWaiting(other);
        captured.set(handle);
      }
      assertThatExceptionOfType(ExecutionException.class)
          .isThrownBy(other::get)
          .withCauseInstanceOf(IllegalStateException.class)
          .withMessageContaining("is capturing");
      captured.set(-1);
      assertThat(array.toArray(INT8)).containsOnly(7);
    }
  }

  private static void writeSevens(KernelRun run) {
    long array = run.nextLong();
    for (int i = 0; i < SIZE; i++) {
      run.putByte(array + i, (byte) 7);
    }
  }

  @Test
  void aWrapThatIsClosedDuringTheCaptureKeepsItsPlace() {
    try (CuArray<Byte> array = gpu0.zeros(INT8, SIZE)) {
      CuStream stream = gpu0.wrapStream(handle);
      workUnderALease(stream, array);
      captured.set(handle);
      stream.close();
      assertThat(array.toArray(INT8)).containsOnly(7);
    }
  }

  @Test
  void aWrapThatNothingWasDoneOnIsClosedDuringTheCapture() {
    CuStream stream = gpu0.wrapStream(handle);
    captured.set(handle);
    stream.close();
    stream.close();
    assertThatExceptionOfType(CuClosedException.class).isThrownBy(stream::lease);
  }

  @Test
  void classicMemoryIsFreedAfterTheLeaseDuringTheCapture() {
    CuStream stream = gpu0.wrapStream(handle);
    try (CuArray<Byte> array = gpu0.using(AllocatorKind.CLASSIC).zeros(INT8, SIZE)) {
      workUnderALease(stream, array);
      captured.set(handle);
    }
    cuda.close();
  }

  @Test
  void aStreamOfOursThatIsClosedDuringTheCaptureKeepsItsPlace() {
    try (CuArray<Byte> array = gpu0.zeros(INT8, SIZE)) {
      CuStream stream = gpu0.stream();
      long ours;
      try (CuLease lease = stream.lease(Access.write(array))) {
        ours = lease.stream();
        ok(driver.memsetD8Async(lease.pointer(array), (byte) 7, SIZE, ours));
      }
      captured.set(ours);
      stream.close();
      captured.set(-1);
      assertThat(array.toArray(INT8)).containsOnly(7);
    }
  }

  @Test
  void workUnderALeaseThatOutlivesItsWrapIsWaitedFor() {
    try (CuArray<Byte> array = gpu0.zeros(INT8, SIZE)) {
      CuStream stream = gpu0.wrapStream(handle);
      try (CuLease lease = stream.lease(Access.write(array))) {
        long pointer = lease.pointer(array);
        stream.close();
        ok(driver.memsetD8Async(pointer, (byte) 7, SIZE, handle));
      }
      assertThat(array.toArray(INT8)).containsOnly(7);
    }
  }

  @Test
  void workUnderALeaseThatOutlivesItsWrapAndACaptureIsWaitedFor() {
    try (CuArray<Byte> array = gpu0.zeros(INT8, SIZE)) {
      CuStream stream = gpu0.wrapStream(handle);
      try (CuLease lease = stream.lease(Access.write(array))) {
        long pointer = lease.pointer(array);
        captured.set(handle);
        stream.close();
        captured.set(-1);
        ok(driver.memsetD8Async(pointer, (byte) 7, SIZE, handle));
      }
      assertThat(array.toArray(INT8)).containsOnly(7);
    }
  }

  @Test
  void workUnderALeaseThatOutlivesItsWrapIsWaitedForWhateverTheDriverSays() {
    try (CuArray<Byte> array = gpu0.zeros(INT8, SIZE)) {
      CuStream stream = gpu0.wrapStream(handle);
      try (CuLease lease = stream.lease(Access.write(array))) {
        long pointer = lease.pointer(array);
        stream.close();
        ok(driver.memsetD8Async(pointer, (byte) 7, SIZE, handle));
        refuses.set(true);
      }
      refuses.set(false);
      assertThat(array.toArray(INT8)).containsOnly(7);
    }
  }

  @Test
  void aLeaseOfAStreamOfOursThatWasClosedDuringTheCaptureStaysOpenUntilItsEnd() {
    try (CuArray<Byte> array = gpu0.zeros(INT8, SIZE);
        CuArray<Byte> copy = gpu1.zeros(INT8, SIZE)) {
      CuStream stream = gpu0.stream();
      CuLease lease = stream.lease(Access.write(array));
      ok(driver.memsetD8Async(lease.pointer(array), (byte) 7, SIZE, lease.stream()));
      captured.set(lease.stream());
      stream.close();
      assertThatIllegalStateException().isThrownBy(lease::close);
      captured.set(-1);
      lease.close();
      array.copyTo(copy);
      assertThat(copy.toArray(INT8)).containsOnly(7);
    }
  }

  @Test
  void theDefaultStreamIsWaitedForWhateverContextIsCurrent() {
    try (CuArray<Byte> array = gpu1.zeros(INT8, SIZE);
        CuStream stream = gpu1.wrapStream(0)) {
      try (CuLease lease = stream.lease(Access.write(array))) {
        ok(driver.memsetD8Async(lease.pointer(array), (byte) 7, SIZE, 0));
      }
      gpu0.callInContext(
          () -> {
            stream.synchronize();
            return 0;
          });
      assertThat(array.toArray(INT8)).containsOnly(7);
    }
  }
}
