package org.cuarray.tests.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.tests.conformance.DriverRig.ok;

import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.cuarray.AllocatorKind;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.CuScope;
import org.cuarray.DType;
import org.cuarray.HostArray;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.cuarray.tests.conformance.DriverRig;
import org.cuarray.tests.multidevice.Threads;
import org.cuarray.tests.multidevice.VirtualThreads;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** A thread's current context is after every call what it was before, also where the call fails. */
class ContextNeutralityTest {
  /** One call into the library. */
  private record Use(String name, Runnable action) {}

  /** What a call works on; a new one for each. */
  private static final class Subject implements AutoCloseable {
    final SimulatedDriver machine = SimulatedDriver.of(Preset.PCIE, 2);
    final DriverRig application = new DriverRig(machine);
    final CuRuntime cuda = CuRuntime.open(machine);
    final CuScope scope = cuda.scope();
    final CuDevice gpu0 = cuda.device(0);
    final CuDevice gpu1 = cuda.device(1);
    final CuArray<Float> a = scope.keep(gpu0.full(DType.FLOAT32, 1f, 8));
    final CuArray<Float> b = scope.keep(gpu1.full(DType.FLOAT32, 2f, 8));
    final CuArray<Float> classic =
        scope.keep(gpu1.using(AllocatorKind.CLASSIC).full(DType.FLOAT32, 2f, 8));
    final CuArray<Float> large = scope.keep(gpu1.full(DType.FLOAT32, 2f, 3 << 20));
    final HostArray<Float> pinned = scope.keep(gpu0.hostArray(DType.FLOAT32, 8));
    final long foreign = application.classic(1, 32);

    List<Use> uses() {
      List<Use> uses = new ArrayList<>();
      uses.add(new Use("copyTo another device", () -> a.copyTo(b)));
      uses.add(new Use("copyTo the same device", () -> b.copyTo(classic)));
      uses.add(new Use("overlapping copy", () -> a.slice(0, 6).copyTo(a.slice(1, 7))));
      uses.add(new Use("large overlap", () -> large.slice(0, 9).copyTo(large.slice(1, 10))));
      uses.add(new Use("planCopyTo", () -> a.planCopyTo(b)));
      uses.add(new Use("copyTo host array", () -> b.copyTo(pinned)));
      uses.add(new Use("copyFrom host array", () -> b.copyFrom(pinned)));
      uses.add(new Use("copyTo buffer", () -> b.copyTo(FloatBuffer.allocate(8))));
      uses.add(new Use("copyFrom buffer", () -> b.copyFrom(FloatBuffer.allocate(8))));
      uses.add(new Use("toArray", () -> b.toArray(DType.FLOAT32)));
      uses.add(new Use("toArray in pieces", () -> large.toArray(DType.FLOAT32)));
      uses.add(new Use("copyFrom Java array", () -> b.copyFrom(DType.FLOAT32, new float[8])));
      uses.add(new Use("in pieces", () -> large.copyFrom(DType.FLOAT32, new float[3 << 20])));
      uses.add(new Use("to", () -> scope.keep(a.to(gpu1))));
      uses.add(new Use("fill", () -> b.fill((Float) 3f)));
      uses.add(new Use("get", () -> b.get(1)));
      uses.add(new Use("set", () -> b.set(1f, 1)));
      uses.add(new Use("getDouble", () -> b.getDouble(1)));
      uses.add(new Use("synchronize array", b::synchronize));
      uses.add(new Use("synchronize runtime", cuda::synchronize));
      uses.add(new Use("synchronize host array", pinned::synchronize));
      uses.add(new Use("host array toArray", () -> pinned.toArray(DType.FLOAT32)));
      uses.add(new Use("host array set", () -> pinned.set(1f, 1)));
      uses.add(new Use("empty", () -> scope.keep(gpu1.<Float>empty(DType.FLOAT32, 4))));
      uses.add(new Use("zeros classic", () -> zerosClassic(4)));
      uses.add(new Use("array", () -> scope.keep(gpu1.array(DType.FLOAT32, new float[4]))));
      uses.add(new Use("hostArray", () -> scope.keep(gpu1.hostArray(DType.FLOAT32, 4))));
      uses.add(new Use("array of host array", () -> scope.keep(gpu1.array(pinned))));
      uses.add(new Use("wrap", () -> scope.keep(gpu1.wrap(DType.FLOAT32, foreign, 8L))));
      uses.add(new Use("memoryUsage", gpu1::memoryUsage));
      uses.add(new Use("totalMemory", gpu1::totalMemory));
      uses.add(new Use("name and uuid", () -> assertThat(gpu1.name() + gpu1.uuid()).isNotEmpty()));
      uses.add(new Use("canAccessPeer", () -> gpu1.canAccessPeer(gpu0)));
      uses.add(new Use("topology", () -> cuda.topology().links()));
      uses.add(new Use("resolve", () -> cuda.registry().resolve(foreign)));
      uses.add(new Use("contextOf", () -> cuda.registry().contextOf(gpu1)));
      uses.add(new Use("callInContext", () -> gpu1.callInContext(() -> 1)));
      uses.add(new Use("a throwing callInContext", () -> gpu1.callInContext(this::fails)));
      uses.add(new Use("a stream", () -> scope.keep(gpu1.stream("mine", 0)).synchronize()));
      uses.add(new Use("retain and close", () -> b.retain().close()));
      uses.add(new Use("close pool memory", b::close));
      uses.add(new Use("close classic memory", classic::close));
      uses.add(new Use("close pinned memory", pinned::close));
      uses.add(new Use("close the scope", scope::close));
      uses.add(new Use("close the runtime", cuda::close));
      uses.add(new Use("open a runtime", () -> CuRuntime.open(machine).close()));
      uses.add(new Use("a refused shape", () -> a.copyTo(large)));
      uses.add(new Use("a refused length", () -> a.copyFrom(DType.FLOAT32, new float[9])));
      uses.add(new Use("an unknown pointer", () -> gpu1.wrap(DType.FLOAT32, 16, 8L)));
      uses.add(new Use("no memory, pool", () -> gpu1.zeros(DType.INT8, 1L << 50)));
      uses.add(new Use("no memory, classic", () -> zerosClassic(1L << 50)));
      uses.add(new Use("no memory, pinned", () -> gpu1.hostArray(DType.INT8, 1L << 50)));
      for (String call :
          List.of(
              "cuMemcpyDtoHAsync",
              "cuMemcpyHtoDAsync",
              "cuMemcpyDtoDAsync",
              "cuMemsetD32Async",
              "cuEventRecord",
              "cuStreamWaitEvent",
              "cuEventSynchronize",
              "cuMemAllocFromPoolAsync",
              "cuMemHostAlloc")) {
        uses.add(new Use("a failing " + call, () -> everythingWithOneFailing(call)));
      }
      return uses;
    }

    private void zerosClassic(long size) {
      scope.keep(gpu1.using(AllocatorKind.CLASSIC).zeros(DType.FLOAT32, size));
    }

    private Object fails() {
      throw new IllegalStateException("thrown by this test");
    }

    private void everythingWithOneFailing(String call) {
      machine.failFromNow(call, 1, CudaError.INVALID_HANDLE);
      a.fill((Float) 5f);
      a.copyTo(b);
      b.copyTo(classic);
      classic.set(1f, 1);
      scope.keep(gpu0.<Float>empty(DType.FLOAT32, 4));
      classic.toArray(DType.FLOAT32);
      scope.keep(gpu0.hostArray(DType.FLOAT32, 4));
    }

    @Override
    public void close() {
      scope.close();
      cuda.close();
      application.close();
    }
  }

  @TestFactory
  Stream<DynamicTest> theCurrentContextIsTheSameAfter() {
    return names().map(name -> DynamicTest.dynamicTest(name, () -> assertNeutral(name)));
  }

  @TestFactory
  Stream<DynamicTest> onAVirtualThreadTheCurrentContextIsTheSameAfter() {
    VirtualThreads.require();
    return names()
        .map(
            name ->
                DynamicTest.dynamicTest(
                    name,
                    () -> Threads.runTogetherOnVirtualThreads(List.of(() -> assertNeutral(name)))));
  }

  private static Stream<String> names() {
    try (Subject subject = new Subject()) {
      return subject.uses().stream().map(Use::name).toList().stream();
    }
  }

  private static void assertNeutral(String name) {
    for (int current = -1; current < 3; current++) {
      try (Subject subject = new Subject()) {
        long before = makeCurrent(subject, current);
        Use use =
            subject.uses().stream().filter(each -> each.name().equals(name)).findFirst().get();
        try {
          use.action().run();
        } catch (RuntimeException e) {
          // Whether the call fails is not what this is about.
          assertThat(e.getMessage()).isNotEmpty();
        }
        long[] after = new long[1];
        ok(subject.machine.ctxGetCurrent(after));
        assertThat(after[0]).as("with context %d current before", current).isEqualTo(before);
      }
    }
  }

  /** None, the context of device 0 or 1, or one that the application made. */
  private static long makeCurrent(Subject subject, int which) {
    if (which < 0) {
      subject.application.useNone();
      return 0;
    }
    if (which < 2) {
      subject.application.use(which);
      return subject.application.context(which);
    }
    long[] made = new long[1];
    ok(subject.machine.ctxCreate(made, 0, 0));
    return made[0];
  }

  @Test
  void usingDeviceOneAloneCreatesNoContextOnDeviceZero() {
    SimulatedDriver machine = SimulatedDriver.of(Preset.NVLINK, 3);
    try (CuRuntime cuda = CuRuntime.open(machine)) {
      CuDevice gpu1 = cuda.device(1);
      assertThat(active(machine, 1)).as("on device 1 before its first use").isFalse();
      try (CuArray<Float> a = gpu1.array(DType.FLOAT32, new float[] {1, 2, 3});
          CuArray<Float> b = gpu1.using(AllocatorKind.CLASSIC).zeros(DType.FLOAT32, 3);
          HostArray<Float> pinned = gpu1.hostArray(DType.FLOAT32, 3);
          CuArray<Float> big = gpu1.zeros(DType.FLOAT32, 5 << 20)) {
        a.copyTo(b);
        b.copyTo(pinned);
        a.copyFrom(pinned);
        a.slice(0, 2).copyTo(a.slice(1, 3));
        assertThat(a.toArray(DType.FLOAT32)).containsExactly(1, 1, 2);
        big.toArray(DType.FLOAT32);
        cuda.registry().resolve(a.pointer());
        cuda.topology().links();
        for (CuDevice device : cuda.devices()) {
          assertThat(device.name()).isNotEmpty();
          assertThat(device.totalMemory()).isPositive();
        }
        gpu1.memoryUsage();
        gpu1.canAccessPeer(cuda.device(0));
        cuda.synchronize();
      }
      assertThat(active(machine, 1)).isTrue();
    }
    assertThat(active(machine, 0)).isFalse();
    assertThat(active(machine, 2)).isFalse();
  }

  private static boolean active(SimulatedDriver machine, int device) {
    int[] active = new int[1];
    ok(machine.devicePrimaryCtxGetState(device, new int[1], active));
    return active[0] != 0;
  }
}
