package org.cuarray.tests.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.cuarray.Access.read;
import static org.cuarray.Access.readWrite;
import static org.cuarray.DType.FLOAT32;
import static org.cuarray.KernelArg.float32;
import static org.cuarray.KernelArg.float64;
import static org.cuarray.KernelArg.int32;
import static org.cuarray.KernelArg.int64;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.cuarray.CuArray;
import org.cuarray.CuClosedException;
import org.cuarray.CuKernel;
import org.cuarray.CuLease;
import org.cuarray.CuRuntime;
import org.cuarray.CuStream;
import org.cuarray.KernelArg;
import org.cuarray.Launch;
import org.cuarray.driver.InterceptedDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a launch refuses before the driver hears of it. */
class LaunchRefusalTest {
  private static final Launch THREE = Launch.of(1, 3);

  private KernelMachine machine;
  private CuKernel saxpy;
  private CuKernel increment;
  private CuArray<Float> a;
  private CuArray<Float> elsewhere;

  @BeforeEach
  void open() {
    machine = new KernelMachine();
    saxpy = machine.kernel("saxpy");
    increment = saxpy.module().kernel("increment");
    a = machine.array(0, 1, 2, 3);
    elsewhere = machine.array(1, 1, 2, 3);
  }

  @AfterEach
  void close() {
    a.close();
    elsewhere.close();
    machine.close();
  }

  private String refused(ThrowingCallable launch) {
    String[] message = new String[1];
    assertThatIllegalArgumentException()
        .isThrownBy(launch)
        .satisfies(e -> message[0] = e.getMessage());
    assertThat(machine.calls("cuLaunchKernel")).isEmpty();
    return message[0];
  }

  @Test
  void arraysOfDifferentDevices() {
    assertThat(
            refused(() -> saxpy.launch(THREE, float32(1), read(a), readWrite(elsewhere), int64(3))))
        .contains("saxpy", a.toString(), elsewhere.toString());
    assertThat(machine.calls("cuModuleLoadDataEx")).isEmpty();
  }

  @Test
  void anArrayOfAnotherDeviceThanTheStream() {
    try (CuStream stream = machine.gpu(0).stream("mine", 0)) {
      assertThat(refused(() -> increment.launch(stream, THREE, readWrite(elsewhere))))
          .contains("increment", "stream mine", elsewhere.toString());
    }
  }

  @Test
  void anArrayOfAnotherRuntime() {
    try (KernelMachine other = new KernelMachine();
        CuArray<Float> foreign = other.array(0, 1, 2, 3)) {
      assertThat(refused(() -> increment.launch(THREE, readWrite(foreign))))
          .contains("another runtime", foreign.toString());
    }
  }

  @Test
  void noArrayAndNoStream() {
    assertThat(refused(() -> saxpy.launch(THREE, int32(1)))).contains("saxpy", "no array");
  }

  @Test
  void tooFewAndTooManyArguments() {
    assertThat(refused(() -> saxpy.launch(THREE, float32(1), read(a))))
        .contains("4 parameters", "[4, 8, 8, 8]", "given 2", "float32 1.0 (4 bytes)", a.toString());
    assertThat(refused(() -> increment.launch(THREE, readWrite(a), int32(1), int32(2))))
        .contains("1 parameters", "given 3", "int32 2 (4 bytes)");
  }

  @Test
  void anArgumentOfAnotherSize() {
    assertThat(refused(() -> saxpy.launch(THREE, float64(1), read(a), readWrite(a), int64(3))))
        .contains("[4, 8, 8, 8]", "argument 0 of 8 bytes", "float64 1.0");
    assertThat(refused(() -> saxpy.launch(THREE, float32(1), read(a), readWrite(a), int32(3))))
        .contains("argument 3 of 4 bytes", "int32 3");
  }

  @Test
  void aBlockThatIsTooLarge() {
    assertThat(refused(() -> increment.launch(Launch.of(1, 1025), readWrite(a))))
        .contains("[1025, 1, 1]", "[1024, 1024, 64]", "cuda:0");
    assertThat(refused(() -> increment.launch(THREE.block(33, 32, 1), readWrite(a))))
        .contains("1056 threads", "1024 threads");
    assertThat(refused(() -> increment.launch(THREE.block(1, 1, 65), readWrite(a))))
        .contains("[1, 1, 65]", "[1024, 1024, 64]");
  }

  @Test
  void aGridThatIsTooLarge() {
    assertThat(refused(() -> increment.launch(Launch.over(1L << 40), readWrite(a))))
        .contains("[4294967296, 1, 1]", "[2147483647, 65535, 65535]");
    assertThat(refused(() -> increment.launch(THREE.grid(1, 65_536, 1), readWrite(a))))
        .contains("[1, 65536, 1]");
  }

  @Test
  void moreSharedMemoryThanTheDeviceHas() {
    assertThat(refused(() -> increment.launch(THREE.shared(232_449), readWrite(a))))
        .contains("232449", "232448");
  }

  @Test
  void sharedMemoryPastTheUsualIsAskedForOnce() {
    increment.launch(THREE.shared(49_152), readWrite(a));
    assertThat(machine.calls("cuFuncSetAttribute")).isEmpty();
    increment.launch(THREE.shared(200_000), readWrite(a));
    increment.launch(THREE.shared(100_000), readWrite(a));
    assertThat(machine.calls("cuFuncSetAttribute")).hasSize(1);
    assertThat(a.toArray(FLOAT32)).containsExactly(4, 5, 6);
  }

  @Test
  void nothingToDoIsNoErrorAndNoCall() {
    machine.recording.clear();
    increment.launch(Launch.over(0), readWrite(a));
    increment.launch(THREE.grid(1, 0, 1), readWrite(a));
    assertThat(machine.recording.calls()).isEmpty();
  }

  @Test
  void anArrayWithoutElementsIsANullPointer() {
    try (CuArray<Float> empty = machine.gpu(0).empty(FLOAT32, 0)) {
      saxpy.launch(THREE, float32(1), read(empty), readWrite(empty), int64(0));
      increment.launch(Launch.over(empty.size()), readWrite(empty));
    }
    assertThat(machine.calls("cuLaunchKernel")).hasSize(1);
  }

  @Test
  void nullArguments() {
    assertThatNullPointerException()
        .isThrownBy(() -> saxpy.launch(THREE, float32(1), null, readWrite(a), int64(3)))
        .withMessageContaining("argument 1 of kernel saxpy");
    assertThatNullPointerException().isThrownBy(() -> increment.launch(null, readWrite(a)));
    assertThatNullPointerException().isThrownBy(() -> readWrite(null));
    assertThatNullPointerException()
        .isThrownBy(() -> increment.launch((CuStream) null, THREE, readWrite(a)));
  }

  @Test
  void aClosedArray() {
    CuArray<Float> view = a.slice(0, 2);
    a.close();
    for (CuArray<Float> closed : java.util.List.of(a, view)) {
      assertThatExceptionOfType(CuClosedException.class)
          .isThrownBy(() -> increment.launch(THREE, readWrite(closed)))
          .withMessageContaining("float32");
    }
    assertThat(machine.calls("cuLaunchKernel")).isEmpty();
  }

  @Test
  void aClosedModuleStreamOrRuntime() {
    CuStream stream = machine.gpu(0).stream();
    increment.launch(stream, THREE, readWrite(a));
    stream.close();
    assertThatExceptionOfType(CuClosedException.class)
        .isThrownBy(() -> increment.launch(stream, THREE, readWrite(a)));
    saxpy.module().close();
    assertThatExceptionOfType(CuClosedException.class)
        .isThrownBy(() -> increment.launch(THREE, readWrite(a)))
        .withMessageContaining("module");
    assertThatExceptionOfType(CuClosedException.class)
        .isThrownBy(() -> increment.launch(Launch.over(0), readWrite(a)));
    machine.cuda.close();
    assertThatExceptionOfType(CuClosedException.class)
        .isThrownBy(() -> increment.launch(THREE, readWrite(a)))
        .withMessageContaining("runtime");
    assertThatExceptionOfType(CuClosedException.class)
        .isThrownBy(() -> machine.cuda.load(KernelMachine.PTX));
  }

  @Test
  void anArrayThatThisThreadHasLeased() {
    try (CuStream stream = machine.gpu(0).stream();
        CuLease lease = stream.lease(read(a))) {
      assertThatIllegalStateException()
          .isThrownBy(() -> increment.launch(THREE, readWrite(a)))
          .withMessageContaining("lease");
      assertThat(lease.pointer(a)).isNotZero();
    }
    increment.launch(THREE, readWrite(a));
    assertThat(a.toArray(FLOAT32)).containsExactly(2, 3, 4);
  }

  @Test
  void aStreamThatIsCapturing() {
    boolean[] capturing = new boolean[1];
    try (CuRuntime cuda =
            CuRuntime.open(
                InterceptedDriver.around(
                    machine.simulated,
                    (call, arguments, proceed) -> {
                      int status = proceed.call();
                      if (capturing[0] && call.equals("cuStreamIsCapturing")) {
                        ((int[]) arguments[1])[0] = 1;
                      }
                      return status;
                    }));
        CuStream stream = cuda.device(0).stream("captured", 0);
        CuArray<Float> b = cuda.device(0).array(FLOAT32, new float[] {1})) {
      CuKernel kernel = cuda.load(KernelMachine.PTX).kernel("increment");
      KernelArg argument = readWrite(b);
      capturing[0] = true;
      assertThatIllegalStateException()
          .isThrownBy(() -> kernel.launch(stream, Launch.of(1, 1), argument))
          .withMessageContaining("capturing");
      capturing[0] = false;
      kernel.launch(stream, Launch.of(1, 1), argument);
      assertThat(b.get(0)).isEqualTo(2f);
      kernel.module().close();
    }
  }
}
