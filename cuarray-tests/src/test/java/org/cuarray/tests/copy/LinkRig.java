package org.cuarray.tests.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.cuarray.AllocatorKind;
import org.cuarray.CopyPlan;
import org.cuarray.CopyStrategy;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.DType;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.RecordingDriver;

/** A recorded machine and the runtimes on it, for tests of links; closes what it opened. */
final class LinkRig implements AutoCloseable {
  static final long SIZE = 1000;

  private final RecordingDriver recording;
  private final List<CuRuntime> runtimes = new ArrayList<>();

  LinkRig(CudaDriver machine) {
    recording = new RecordingDriver(machine);
  }

  RecordingDriver recording() {
    return recording;
  }

  /** The driver as the library sees it. */
  CudaDriver driver() {
    return recording.driver();
  }

  CuRuntime open() {
    return open(CuRuntime.builder());
  }

  CuRuntime open(CuRuntime.Builder options) {
    CuRuntime cuda = options.driver(recording.driver()).open();
    runtimes.add(cuda);
    return cuda;
  }

  /**
   * Copies between two devices, checks the bytes and that the copy went as planned.
   *
   * @return the plan
   */
  CopyPlan copy(CuDevice from, CuDevice to) {
    int value = from.ordinal() + 7;
    try (CuArray<Integer> source = from.full(DType.INT32, (Integer) value, SIZE);
        CuArray<Integer> destination = to.zeros(DType.INT32, SIZE)) {
      CopyPlan plan = source.planCopyTo(destination);
      recording.clear();
      source.copyTo(destination);
      assertThat(recording.calls("cuMemcpyPeerAsync"))
          .hasSize(plan.strategy() == CopyStrategy.PEER ? 1 : 0);
      assertThat(recording.calls("cuMemcpyDtoHAsync"))
          .hasSize(plan.strategy() == CopyStrategy.HOST_STAGED ? 1 : 0);
      assertThat(destination.toArray(DType.INT32)).containsOnly(value);
      return plan;
    }
  }

  static CuDevice classic(CuDevice device) {
    return device.using(AllocatorKind.CLASSIC);
  }

  static CuDevice pooled(CuDevice device) {
    return device.using(AllocatorKind.STREAM_ORDERED);
  }

  @Override
  public void close() {
    runtimes.forEach(CuRuntime::close);
  }
}
