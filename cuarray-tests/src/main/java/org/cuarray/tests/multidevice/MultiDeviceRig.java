package org.cuarray.tests.multidevice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.cuarray.AllocatorKind;
import org.cuarray.CopyPlan;
import org.cuarray.CopyStrategy;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.DType;
import org.cuarray.HostArray;
import org.cuarray.PeerPolicy;
import org.cuarray.driver.RecordingDriver;
import org.cuarray.driver.RecordingDriver.Call;

/**
 * A machine, opened once for all tests of the suite: its recorded driver, and a runtime for each
 * policy that is tried.
 */
final class MultiDeviceRig implements AutoCloseable {
  private static final long LARGEST_WINDOW = 64 << 20;

  private final MachineUnderTest machine;
  private final RecordingDriver recording;
  private final Map<PeerPolicy, CuRuntime> runtimes = new EnumMap<>(PeerPolicy.class);
  private final Map<PeerPolicy, HostArray<Byte>> windows = new EnumMap<>(PeerPolicy.class);

  MultiDeviceRig(MachineUnderTest machine) {
    this.machine = machine;
    this.recording = new RecordingDriver(machine.driver());
  }

  MachineUnderTest machine() {
    return machine;
  }

  RecordingDriver recording() {
    return recording;
  }

  /** The runtime whose copies go the way that the machine is there for. */
  CuRuntime cuda() {
    return cuda(machine.policy());
  }

  /** The devices that take part in patterns of many copies, of {@link #cuda}. */
  List<CuDevice> devices() {
    return machine.inPatterns(cuda().devices());
  }

  /** Two of them, or the only one. */
  List<CuDevice> firstTwo() {
    return devices().stream().limit(2).toList();
  }

  CuRuntime cuda(PeerPolicy policy) {
    return runtimes.computeIfAbsent(
        policy, wanted -> CuRuntime.builder().driver(recording.driver()).peerPolicy(wanted).open());
  }

  /** Pinned memory to read large arrays through. */
  HostArray<Byte> window(PeerPolicy policy) {
    return windows.computeIfAbsent(
        policy, ignored -> cuda(policy).device(0).hostArray(DType.INT8, LARGEST_WINDOW));
  }

  /** The allocators that a device has. */
  static List<AllocatorKind> kinds(CuDevice device) {
    try {
      assertThat(device.using(AllocatorKind.STREAM_ORDERED)).isEqualTo(device);
      return List.of(AllocatorKind.CLASSIC, AllocatorKind.STREAM_ORDERED);
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageContaining("no memory pools");
      return List.of(AllocatorKind.CLASSIC);
    }
  }

  /** How a copy of {@link #cuda} is expected to go; asked after its link has been tried. */
  CopyStrategy expected(CuArray<?> source, CuArray<?> destination) {
    return expected(source, destination, machine.policy());
  }

  private CopyStrategy expected(CuArray<?> source, CuArray<?> destination, PeerPolicy policy) {
    if (policy == PeerPolicy.FORCE_HOST_STAGED) {
      return CopyStrategy.HOST_STAGED;
    }
    if (source.device().equals(destination.device())) {
      return CopyStrategy.SAME_DEVICE;
    }
    DevicePair pair = new DevicePair(source.device(), destination.device());
    boolean carried =
        policy != PeerPolicy.OFF
            && machine.carries(
                cuda(policy).topology(), pair, source.allocator(), destination.allocator());
    return carried ? CopyStrategy.PEER : CopyStrategy.HOST_STAGED;
  }

  /**
   * Copies, and holds the plan and the driver calls to the strategy that is expected. Nothing else
   * may use the driver meanwhile.
   */
  <T> void copyAsExpected(CuArray<T> source, CuArray<T> destination, PeerPolicy policy) {
    CopyPlan plan = source.planCopyTo(destination);
    recording.clear();
    source.copyTo(destination);
    List<Call> calls = recording.calls();
    CopyStrategy strategy = expected(source, destination, policy);
    new CopyCalls(machine.driver(), cuda(policy), calls).assertMade(strategy, source, destination);
    assertThat(plan.strategy()).as(plan.toString()).isEqualTo(strategy);
    assertThat(plan.bytes()).isEqualTo(source.byteSize());
    assertThat(plan.source()).isEqualTo(source.device());
    assertThat(plan.destination()).isEqualTo(destination.device());
    assertThat(plan.reason()).isNotBlank();
  }

  /**
   * Waits until no thread of the library uses the driver any more. Arrays must have been closed.
   */
  void quiesce() {
    for (CuRuntime cuda : runtimes.values()) {
      cuda.synchronize();
      for (CuDevice device : cuda.devices()) {
        while (device.memoryUsage().used() > 0) {
          Thread.onSpinWait();
        }
      }
    }
  }

  @Override
  public void close() {
    windows.values().forEach(HostArray::close);
    runtimes.values().forEach(CuRuntime::close);
    machine.check();
  }
}
