package org.cuarray.tests.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.DType.INT8;
import static org.cuarray.tests.conformance.DriverRig.ok;

import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.CuStream;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.api.Test;

/** The default stream has no handle of its own: each context has one, and 0 means the current. */
class DefaultStreamTest {
  private static final int SIZE = 1000;

  private final SimulatedDriver machine =
      SimulatedDriver.builder().preset(Preset.NVLINK).devices(2).seed(1).build();

  @Test
  void aCopyFromAnotherDeviceComesAfterWhatTheDefaultStreamWrote() {
    long memory;
    try (CuRuntime cuda = CuRuntime.open(machine)) {
      CuDevice gpu0 = cuda.device(0);
      memory = gpu0.callInContext(this::written);
      try (CuStream producer = gpu0.wrapStream(0);
          CuArray<Byte> wrapped = gpu0.wrap(INT8, memory, producer, SIZE);
          CuArray<Byte> source = cuda.device(1).full(INT8, (byte) 5, SIZE)) {
        source.copyTo(wrapped);
        assertThat(wrapped.toArray(INT8)).containsOnly(5);
      }
      gpu0.callInContext(() -> machine.memFree(memory));
    }
    assertThat(machine.findings()).isEmpty();
  }

  /** Memory that an application has on the current device, and writes on the default stream. */
  private long written() {
    long[] memory = new long[1];
    ok(machine.memAlloc(memory, SIZE));
    ok(machine.memsetD8Async(memory[0], (byte) 7, SIZE, 0));
    return memory[0];
  }
}
