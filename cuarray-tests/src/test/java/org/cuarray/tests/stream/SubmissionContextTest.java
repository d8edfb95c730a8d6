package org.cuarray.tests.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.tests.conformance.DriverRig.ok;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.cuarray.AllocatorKind;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.DType;
import org.cuarray.HostArray;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.InterceptedDriver;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The driver looks at pool memory from where the current context stands, even where the stream says
 * otherwise. So what the application has current must not be, while memory is worked on.
 */
class SubmissionContextTest {
  /** Those of which the stream is the last argument. */
  private static final Set<String> SUBMISSIONS =
      Set.of(
          "cuMemcpyAsync",
          "cuMemcpyPeerAsync",
          "cuMemcpyDtoDAsync",
          "cuMemcpyDtoHAsync",
          "cuMemcpyHtoDAsync",
          "cuMemsetD8Async",
          "cuMemsetD16Async",
          "cuMemsetD32Async",
          "cuMemAllocFromPoolAsync",
          "cuMemFreeAsync");

  private final List<String> strays = new CopyOnWriteArrayList<>();

  @ParameterizedTest
  @EnumSource(
      value = Preset.class,
      names = {"NVLINK", "PCIE", "NO_POOLS"})
  void noMemoryIsWorkedOnFromTheContextOfAnotherDevice(Preset preset) {
    SimulatedDriver machine = SimulatedDriver.of(preset, 2);
    CudaDriver watched =
        InterceptedDriver.around(
            machine,
            (call, arguments, proceed) -> {
              if (SUBMISSIONS.contains(call)) {
                check(machine, call, (long) arguments[arguments.length - 1]);
              }
              return proceed.call();
            });
    try (CuRuntime cuda = CuRuntime.open(watched)) {
      for (CuDevice current : cuda.devices()) {
        for (CuDevice from : cuda.devices()) {
          for (CuDevice to : cuda.devices()) {
            int[] arrived = current.callInContext(() -> roundTrip(from, to));
            assertThat(arrived).containsExactly(7, 7, 9);
          }
        }
      }
    }
    assertThat(strays).isEmpty();
  }

  private void check(CudaDriver machine, String call, long stream) {
    long[] current = new long[1];
    long[] own = new long[1];
    ok(machine.ctxGetCurrent(current));
    ok(machine.streamGetCtx(stream, own));
    if (current[0] != 0 && current[0] != own[0]) {
      strays.add(call + " on a stream of 0x%x, 0x%x being current".formatted(own[0], current[0]));
    }
  }

  /** Uses each kind of operation once or more, and each kind of memory the devices have. */
  private static int[] roundTrip(CuDevice from, CuDevice to) {
    try (CuArray<Integer> a = from.full(DType.INT32, 5, 3);
        CuArray<Integer> classic = from.using(AllocatorKind.CLASSIC).zeros(DType.INT32, 3);
        CuArray<Integer> b = to.array(DType.INT32, new int[3]);
        CuArray<Integer> c = to.empty(DType.INT32, 3);
        HostArray<Integer> pinned = to.hostArray(DType.INT32, 3)) {
      a.fill((Integer) 7);
      a.copyTo(classic);
      classic.copyTo(b);
      b.set(9, 2);
      b.copyTo(pinned);
      a.copyFrom(pinned);
      a.copyTo(c);
      c.slice(0, 2).copyTo(c.slice(1, 3));
      c.copyFrom(pinned);
      return c.toArray(DType.INT32);
    }
  }
}
