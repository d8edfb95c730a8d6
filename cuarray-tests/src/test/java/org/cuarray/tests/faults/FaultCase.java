package org.cuarray.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.DType.INT32;
import static org.cuarray.tests.conformance.DriverRig.ok;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.HostArray;
import org.cuarray.driver.simulated.SimulatedDriver;

/** What one operation needs, and what must hold after it, whether it fails or not. */
final class FaultCase implements AutoCloseable {
  final CuRuntime cuda;

  /** The machine, whose calls never fail: for what others than the library do. */
  final SimulatedDriver machine;

  private final List<AutoCloseable> kept = new ArrayList<>();
  private final IdentityHashMap<CuArray<Integer>, int[]> untouched = new IdentityHashMap<>();
  private final IdentityHashMap<HostArray<Integer>, int[]> untouchedOnHost =
      new IdentityHashMap<>();

  /** The operation; it may be tried again. */
  Runnable operation = () -> {};

  /** What holds after it has succeeded. */
  Runnable result = () -> {};

  /** What holds when the runtime has been closed. */
  Runnable end = () -> {};

  FaultCase(CuRuntime cuda, SimulatedDriver machine) {
    this.cuda = cuda;
    this.machine = machine;
  }

  /** Something to be closed in the end. */
  <C extends AutoCloseable> C keep(C something) {
    kept.add(something);
    return something;
  }

  /** An array whose values no failure may change. */
  CuArray<Integer> source(CuArray<Integer> array, int... values) {
    untouched.put(keep(array), values);
    return array;
  }

  /** Pinned memory whose values no failure may change. */
  HostArray<Integer> source(HostArray<Integer> array, int... values) {
    untouchedOnHost.put(keep(array), values);
    return array;
  }

  /** Memory of a device that somebody else allocated. */
  long foreign(CuDevice device, long bytes) {
    long[] pointer = new long[1];
    ok(device.callInContext(() -> machine.memAlloc(pointer, bytes)));
    // Memory of a lost device cannot be freed, and that is no leak.
    keep(() -> device.callInContext(() -> machine.memFree(pointer[0])));
    return pointer[0];
  }

  void checkUntouched() {
    untouched.forEach(
        (array, values) -> assertThat(array.toArray(INT32)).as("%s", array).isEqualTo(values));
    untouchedOnHost.forEach(
        (array, values) -> assertThat(array.toArray(INT32)).as("%s", array).isEqualTo(values));
  }

  @Override
  public void close() throws Exception {
    for (int i = kept.size() - 1; i >= 0; i--) {
      kept.get(i).close();
    }
  }
}
