package org.cuarray.tests.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.Access.read;
import static org.cuarray.Access.readWrite;
import static org.cuarray.Access.write;
import static org.cuarray.DType.FLOAT32;
import static org.cuarray.KernelArg.float32;
import static org.cuarray.KernelArg.int64;

import java.util.List;
import org.cuarray.CuArray;
import org.cuarray.CuKernel;
import org.cuarray.CuStream;
import org.cuarray.Launch;
import org.cuarray.driver.RecordingDriver.Call;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A launch takes its place in the order of its arrays, without the host waiting for anything. */
class LaunchOrderTest {
  private static final String LAUNCH = "cuLaunchKernel";
  private static final String COPY = "cuMemcpyPeerAsync";
  private static final String WAIT = "cuStreamWaitEvent";
  private static final Launch THREE = Launch.of(1, 3);

  /** Where the host would wait. */
  private static final String[] HOST_WAITS = {
    "cuStreamSynchronize", "cuEventSynchronize", "cuCtxSynchronize", "cuEventQuery", "cuStreamQuery"
  };

  private KernelMachine machine;
  private CuKernel increment;
  private CuKernel saxpy;

  @BeforeEach
  void open() {
    machine = new KernelMachine();
    increment = machine.kernel("increment");
    saxpy = machine.kernel("saxpy");
  }

  @AfterEach
  void close() {
    machine.close();
    assertThat(machine.simulated.findings()).isEmpty();
  }

  @Test
  void aKernelComesBetweenTheCopiesBeforeAndAfterIt() {
    try (CuArray<Float> a = machine.array(0, 1, 2, 3);
        CuArray<Float> b = machine.gpu(1).zeros(FLOAT32, 3);
        CuArray<Float> c = machine.gpu(0).zeros(FLOAT32, 3)) {
      a.copyTo(b);
      increment.launch(THREE, readWrite(b));
      b.copyTo(c);
      increment.launch(THREE, readWrite(c));
      machine.cuda.synchronize();
      machine.recording.clear();

      a.copyTo(b);
      increment.launch(THREE, readWrite(b));
      b.copyTo(c);
      increment.launch(THREE, readWrite(c));

      assertThat(machine.calls(HOST_WAITS)).isEmpty();
      assertThat(machine.calls(COPY, WAIT, LAUNCH))
          .containsExactly(COPY, WAIT, LAUNCH, WAIT, COPY, WAIT, LAUNCH);
      assertThat(c.toArray(FLOAT32)).containsExactly(3, 4, 5);
    }
  }

  @Test
  void theWaitIsOfTheLaunchingStreamForTheCopyingOne() {
    try (CuArray<Float> a = machine.array(0, 1, 2, 3);
        CuArray<Float> b = machine.gpu(1).zeros(FLOAT32, 3)) {
      a.copyTo(b);
      machine.cuda.synchronize();
      machine.recording.clear();

      a.copyTo(b);
      increment.launch(THREE, readWrite(b));

      List<Call> calls =
          machine.recording.calls(COPY, "cuEventRecord", WAIT, LAUNCH).stream()
              .dropWhile(call -> !call.name().equals(COPY))
              .toList();
      long copying = calls.get(0).argument(5);
      Call recorded = calls.get(1);
      Call waited = calls.get(2);
      Call launched = calls.get(3);
      assertThat(recorded.name()).isEqualTo("cuEventRecord");
      assertThat(recorded.argument(1)).isEqualTo(copying);
      assertThat(waited.name()).isEqualTo(WAIT);
      assertThat(waited.argument(1)).isEqualTo(recorded.argument(0));
      assertThat(launched.name()).isEqualTo(LAUNCH);
      assertThat(launched.argument(8)).isEqualTo(waited.argument(0)).isNotEqualTo(copying);
    }
  }

  @Test
  void kernelsOfOneDeviceFollowEachOtherWithoutAnEvent() {
    try (CuArray<Float> a = machine.array(0, 1, 2, 3)) {
      increment.launch(THREE, readWrite(a));
      machine.recording.clear();

      increment.launch(THREE, readWrite(a));
      increment.launch(THREE, readWrite(a));

      assertThat(machine.calls(LAUNCH, WAIT, "cuEventRecord")).containsExactly(LAUNCH, LAUNCH);
      assertThat(a.toArray(FLOAT32)).containsExactly(4, 5, 6);
    }
  }

  @Test
  void twoReadersDoNotWaitForEachOther() {
    try (CuStream other = machine.gpu(0).stream();
        CuArray<Float> x = machine.array(0, 1, 1, 1);
        CuArray<Float> y = machine.array(0, 0, 0, 0);
        CuArray<Float> z = machine.array(0, 0, 0, 0)) {
      saxpy.launch(THREE, float32(1), read(x), readWrite(y), int64(3));
      saxpy.launch(other, THREE, float32(1), read(x), readWrite(z), int64(3));
      machine.cuda.synchronize();
      other.synchronize();
      machine.recording.clear();

      saxpy.launch(THREE, float32(2), read(x), readWrite(y), int64(3));
      saxpy.launch(other, THREE, float32(3), read(x), readWrite(z), int64(3));
      assertThat(machine.calls(WAIT)).isEmpty();

      // Who writes what both read comes after both.
      increment.launch(THREE, readWrite(x));
      assertThat(machine.calls(LAUNCH, WAIT)).containsExactly(LAUNCH, LAUNCH, WAIT, LAUNCH);
      assertThat(y.toArray(FLOAT32)).containsExactly(3, 3, 3);
      assertThat(z.toArray(FLOAT32)).containsExactly(4, 4, 4);
    }
  }

  @Test
  void aWriterOnAnotherStreamComesAfterTheWriterBefore() {
    try (CuStream other = machine.gpu(0).stream();
        CuArray<Float> a = machine.array(0, 1, 2, 3)) {
      increment.launch(THREE, write(a));
      machine.recording.clear();
      increment.launch(other, THREE, write(a));
      assertThat(machine.calls(LAUNCH, WAIT)).containsExactly(WAIT, LAUNCH);
    }
  }

  @Test
  void kernelsOnDisjointSlicesDoNotWaitForEachOther() {
    try (CuStream other = machine.gpu(0).stream();
        CuArray<Float> a = machine.array(0, 0, 0, 0, 0, 0, 0)) {
      CuArray<Float> head = a.slice(0, 3);
      CuArray<Float> tail = a.slice(3, 6);
      increment.launch(THREE, readWrite(head));
      increment.launch(other, THREE, readWrite(tail));
      machine.cuda.synchronize();
      other.synchronize();
      machine.recording.clear();

      increment.launch(THREE, readWrite(head));
      increment.launch(other, THREE, readWrite(tail));
      assertThat(machine.calls(WAIT)).isEmpty();
      assertThat(a.toArray(FLOAT32)).containsExactly(2, 2, 2, 2, 2, 2);
    }
  }

  @Test
  void anArrayCanBeClosedWhileAKernelUsesIt() {
    CuArray<Float> a = machine.array(0, 1, 2, 3);
    increment.launch(THREE, readWrite(a));
    a.close();
    machine.cuda.synchronize();
  }

  @Test
  void theSameArrayCanBeTwoArguments() {
    try (CuArray<Float> a = machine.array(0, 1, 2, 3)) {
      saxpy.launch(THREE, float32(2), read(a), readWrite(a), int64(3));
      saxpy.launch(THREE, float32(2), readWrite(a), read(a), int64(3));
      assertThat(a.toArray(FLOAT32)).containsExactly(9, 18, 27);
    }
  }
}
