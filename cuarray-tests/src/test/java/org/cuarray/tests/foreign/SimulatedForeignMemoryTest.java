package org.cuarray.tests.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cuarray.tests.conformance.DriverRig.ok;

import java.util.List;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.simulated.Finding;
import org.cuarray.driver.simulated.KernelRun;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.api.Nested;

/** The suite on simulated machines whose streams work late, in an order that a seed decides. */
class SimulatedForeignMemoryTest {
  /** The producer's work is not done until somebody waits for it, or the seed lets it. */
  abstract static class OnSimulatedMachine extends ForeignMemorySuite {
    private final Preset preset;
    private final int devices;
    private SimulatedDriver machine;
    private List<Finding> earlier;

    OnSimulatedMachine(Preset preset, int devices) {
      this.preset = preset;
      this.devices = devices;
    }

    @Override
    protected CudaDriver openDriver() {
      machine =
          SimulatedDriver.builder()
              .preset(preset)
              .devices(devices)
              .seed(0)
              .kernel(Application.PRODUCE, Application.PARAMETERS, OnSimulatedMachine::produce)
              .build();
      return machine;
    }

    @Override
    protected void prepareMachine() {
      long seed = Long.getLong("cuarray.seed", System.nanoTime());
      System.out.println("-Dcuarray.seed=" + seed);
      machine.reseed(seed);
      earlier = machine.findings();
    }

    private static void produce(KernelRun run) {
      long pointer = run.nextLong();
      long count = run.nextLong();
      run.nextLong();
      int value = run.nextInt();
      for (long i = 0; i < count; i++) {
        run.putInt(pointer + Integer.BYTES * i, value);
      }
    }

    @Override
    protected long mallocOfRuntime(int device, long bytes) {
      long[] pointer = new long[1];
      onDevice(device, () -> ok(machine.memAlloc(pointer, bytes)));
      return pointer[0];
    }

    @Override
    protected void freeOfRuntime(int device, long pointer) {
      onDevice(device, () -> ok(machine.memFree(pointer)));
    }

    private void onDevice(int device, Runnable call) {
      long[] context = new long[1];
      ok(machine.devicePrimaryCtxRetain(context, device));
      ok(machine.ctxPushCurrent(context[0]));
      call.run();
      ok(machine.ctxPopCurrent(new long[1]));
      ok(machine.devicePrimaryCtxRelease(device));
    }

    @Override
    protected void checkMachine() {
      assertThat(machine.findings()).isEqualTo(earlier);
    }
  }

  @Nested
  class WithLinks extends OnSimulatedMachine {
    WithLinks() {
      super(Preset.NVLINK, 2);
    }
  }

  @Nested
  class WithoutLinks extends OnSimulatedMachine {
    WithoutLinks() {
      super(Preset.PCIE, 2);
    }
  }

  @Nested
  class OfOneDevice extends OnSimulatedMachine {
    OfOneDevice() {
      super(Preset.NVLINK, 1);
    }
  }
}
