package org.cuarray.driver.simulated;

import static org.cuarray.driver.CudaError.ILLEGAL_ADDRESS;
import static org.cuarray.driver.CudaError.SUCCESS;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A launch that was accepted: a body, and what it will see. */
final class KernelLaunch {
  /** Sees what a kernel does to memory. */
  interface Watch {
    /** It reads or writes bytes. */
    void touches(Block block, long from, long bytes, Access.Mode mode);

    /** It has come to its end. */
    void ended();
  }

  private final Machine machine;
  private final Device device;
  private final KernelBody body;
  private final KernelRun run;
  private @Nullable Watch watch;

  KernelLaunch(Machine machine, Device device, KernelBody body, KernelRun run) {
    this.machine = machine;
    this.device = device;
    this.body = body;
    this.run = run;
  }

  void watchedBy(Watch watcher) {
    watch = watcher;
    run.watchedBy(watcher);
  }

  /** The allocations whose addresses it was given, by the looks of its parameters. */
  List<Block> given() {
    return run.given();
  }

  /** Runs the body; the status is that of the whole kernel. */
  int run() {
    try {
      body.run(run);
      return SUCCESS;
    } catch (KernelRun.IllegalAddress e) {
      machine.findings.unknownAddress(e.address(), "kernel " + run.name());
      // As CUDA has it, the context is beyond use from now on.
      device.lost = true;
      return ILLEGAL_ADDRESS;
    } finally {
      if (watch != null) {
        watch.ended();
      }
    }
  }
}
