package org.cuarray.tests.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.cuarray.CuArray;
import org.cuarray.CuRuntime;
import org.cuarray.DType;
import org.cuarray.driver.RecordingDriver;
import org.cuarray.driver.RecordingDriver.Call;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.api.Test;

/** Two devices that send each other what they compute wait once for each copy, and not twice. */
class ExchangeTest {
  private static final long SIZE = 1000;
  private static final String COPY = "cuMemcpyPeerAsync";
  private static final String FILL = "cuMemsetD32Async";
  private static final String WAIT = "cuStreamWaitEvent";

  /**
   * The copy back overwrites what the copy there has read, and comes after it by way of the fill in
   * between. The stream of the copies there is the older one, and so is the first to be waited for.
   */
  @Test
  void aWaitThatAnotherBringsAlongIsNotMade() {
    RecordingDriver recording = new RecordingDriver(SimulatedDriver.of(Preset.NVLINK, 2));
    try (CuRuntime cuda = CuRuntime.open(recording.driver());
        CuArray<Integer> a = cuda.device(0).empty(DType.INT32, SIZE);
        CuArray<Integer> b = cuda.device(1).empty(DType.INT32, SIZE)) {
      a.copyTo(b);
      b.fill((Integer) 1);
      b.copyTo(a);
      a.fill((Integer) 2);
      cuda.synchronize();
      recording.clear();

      a.copyTo(b);
      b.fill((Integer) 3);
      b.copyTo(a);

      assertThat(recording.calls(COPY, FILL, WAIT))
          .extracting(Call::name)
          .containsExactly(COPY, WAIT, FILL, WAIT, COPY);
      assertThat(a.toArray(DType.INT32)).containsOnly(3);
    }
  }
}
