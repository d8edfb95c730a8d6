package org.cuarray.driver.simulated;

import com.google.common.base.Ascii;
import com.google.common.base.Preconditions;
import com.google.common.collect.ImmutableSet;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.CudaError;
import org.cuarray.driver.ProcessState;
import org.jspecify.annotations.Nullable;

/**
 * A machine of N GPUs in plain Java memory, answering as the CUDA driver does.
 *
 * <p>Streams run eagerly, so that an asynchronous call has done its work when it returns; or, built
 * with a {@linkplain Builder#seed seed}, as late and in as odd an order as the driver's rules
 * allow, which are then checked. Fresh memory reads as 0xA5, memory costs what was written to it,
 * and a copy on freed memory is refused and remembered in {@link #findings}. Each machine is a
 * process of its own: it needs {@code cuInit}, has its own contexts and leaves nothing behind.
 *
 * <pre>{@code
 * SimulatedDriver machine = SimulatedDriver.of(Preset.BROKEN_IOMMU, 2);
 * }</pre>
 *
 * <p>Thread-safe; one lock a machine, and current contexts are each thread's own.
 */
public final class SimulatedDriver extends ModuleCalls {
  private final ProcessState process = new ProcessState();

  private SimulatedDriver(MachineSpec spec) {
    super(spec);
  }

  /**
   * A machine as its preset has it.
   *
   * @param preset which
   * @return a fresh machine, not initialised
   */
  public static SimulatedDriver of(Preset preset) {
    return builder().preset(preset).build();
  }

  /**
   * A machine with another number of GPUs.
   *
   * @param preset which
   * @param devices how many, 1 to 16
   * @return a fresh machine, not initialised
   * @throws IllegalArgumentException for another number
   */
  public static SimulatedDriver of(Preset preset, int devices) {
    return builder().preset(preset).devices(devices).build();
  }

  /**
   * Starts from {@link Preset#NVLINK} without faults.
   *
   * @return a new builder
   */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public ProcessState process() {
    return process;
  }

  @Override
  public String description() {
    return "simulated:" + parts.machine.spec.preset().presetName();
  }

  /** Copies here take the host's time, which says nothing about any device. */
  @Override
  public boolean keepsTime() {
    return false;
  }

  /**
   * Takes a device away, as hardware does. From now on every call that touches it, its contexts,
   * streams, events or memory gives {@code CUDA_ERROR_ECC_UNCORRECTABLE}, the code that {@code
   * cuda.h} has for an error found "during execution" ({@code DEVICE_UNAVAILABLE} is for a device
   * that cannot be had in the first place). Binding a thread to its contexts and asking for its
   * name still work, and so do all other devices.
   *
   * @param ordinal which
   * @throws IndexOutOfBoundsException where there is no such device
   */
  public void loseDevice(int ordinal) {
    Preconditions.checkElementIndex(ordinal, parts.machine.deviceCount(), "device");
    gate.enterAside("loseDevice");
    try {
      Device device = parts.machine.devices(ordinal);
      device.lost = true;
      parts.machine.schedule.lose(device);
    } finally {
      gate.leave();
    }
  }

  /**
   * Orders a fault: a later call does nothing and fails. See {@link Builder#fail} for faults
   * counted from the beginning.
   *
   * @param call in the driver's words, such as {@code cuMemcpyPeerAsync}
   * @param nthFromNow which call of that kind, from 1, counted from now
   * @param code the status that it returns
   * @throws IllegalArgumentException where the driver has no such call
   */
  public void failFromNow(String call, int nthFromNow, int code) {
    gate.orderFromNow(Builder.checked(call, nthFromNow, code));
  }

  /**
   * Goes on as a machine of another seed would, which saves building one: what was allocated,
   * proved and recorded stays, and so does work that was not done yet. For runs that can be
   * repeated, synchronise before.
   *
   * @param seed any number
   * @throws IllegalStateException where the machine was built without a seed
   */
  public void reseed(long seed) {
    gate.enterAside("reseed");
    try {
      parts.machine.reseed(seed);
    } finally {
      gate.leave();
    }
  }

  /**
   * What was noticed while running, then a leak for each allocation that nobody freed so far. A
   * lost device's memory is no leak.
   *
   * @return a copy
   */
  public List<Finding> findings() {
    gate.enterAside("findings");
    try {
      return parts.machine.findings.with(parts.machine.memory.all());
    } finally {
      gate.leave();
    }
  }

  @Override
  public String toString() {
    return description() + " with " + parts.machine.deviceCount() + " devices";
  }

  /** Describes a machine. Not thread-safe. */
  public static final class Builder {
    private static final int DEFAULT_FLIPS_AFTER = 200;
    private static final long LARGEST_MEMORY = 1L << 40;
    private static final ImmutableSet<String> CALLS =
        Arrays.stream(CudaDriver.class.getMethods())
            .filter(method -> method.getReturnType() == int.class)
            .map(Method::getName)
            .filter(name -> !name.equals("hostMalloc"))
            .map(name -> "cu" + Ascii.toUpperCase(name.charAt(0)) + name.substring(1))
            .collect(ImmutableSet.toImmutableSet());

    private final List<Fault> faults = new ArrayList<>(0);
    private final Map<String, KernelSpec> kernels = new LinkedHashMap<>(0);
    private Preset preset = Preset.NVLINK;
    private int devices;
    private long memoryPerDevice;
    private long pinnedLimit = Long.MAX_VALUE;
    private int peerLimit;
    private int flipsAfter = DEFAULT_FLIPS_AFTER;
    private boolean reusesAddressesAcrossDevices;
    private boolean recycledPoolsInheritGrants;
    private boolean recordsPlaces = true;
    private @Nullable Long seed;
    private boolean checksOrder;

    private Builder() {}

    /**
     * Chooses the machine.
     *
     * @param chosen its wiring and its lies
     * @return this
     */
    public Builder preset(Preset chosen) {
      preset = chosen;
      return this;
    }

    /**
     * Chooses the number of GPUs, otherwise the preset's.
     *
     * @param count 1 to 16
     * @return this
     */
    public Builder devices(int count) {
      Preconditions.checkArgument(
          count >= 1 && count <= Machine.MAX_DEVICES,
          "%s devices: a simulated machine has 1 to %s",
          count,
          Machine.MAX_DEVICES);
      devices = count;
      return this;
    }

    /**
     * Chooses the memory of each device, otherwise 139 GiB as on H200, 16 GiB for a MIG slice.
     *
     * @param bytes up to 2^40
     * @return this
     */
    public Builder memoryPerDevice(long bytes) {
      Preconditions.checkArgument(
          bytes > 0 && bytes <= LARGEST_MEMORY, "memory of %s bytes: 1 to 2^40", bytes);
      memoryPerDevice = bytes;
      return this;
    }

    /**
     * Orders a fault: the nth call of a kind does nothing and fails.
     *
     * @param call in the driver's words, such as {@code cuMemAlloc}
     * @param nth which call of that kind, from 1
     * @param code the status that it returns
     * @return this
     */
    public Builder fail(String call, int nth, int code) {
      faults.add(checked(call, nth, code));
      return this;
    }

    /**
     * Denies all pinned memory: {@code cuMemHostAlloc} gives {@code OUT_OF_MEMORY}.
     *
     * @return this
     */
    public Builder denyPinned() {
      return pinnedLimit(0);
    }

    /**
     * Limits pinned memory.
     *
     * @param bytes of all live pinned allocations together
     * @return this
     */
    public Builder pinnedLimit(long bytes) {
      Preconditions.checkArgument(bytes >= 0, "a pinned limit of %s bytes", bytes);
      pinnedLimit = bytes;
      return this;
    }

    /**
     * Limits how many peers a device maps at a time, by context access and pool grants together;
     * beyond, {@code TOO_MANY_PEERS}.
     *
     * @param peers at least 1
     * @return this
     */
    public Builder peerLimit(int peers) {
      Preconditions.checkArgument(peers >= 1, "a limit of %s peers", peers);
      peerLimit = peers;
      return this;
    }

    /**
     * Chooses how many peer copies {@link Preset#FLIPS_LATER} gets right, per link and direction;
     * otherwise 200.
     *
     * @param copies at least 0
     * @return this
     */
    public Builder flipsAfter(int copies) {
      Preconditions.checkArgument(copies >= 0, "flips after %s copies", copies);
      flipsAfter = copies;
      return this;
    }

    /**
     * Lets an address that one device freed be handed out again by another, as one address space
     * allows.
     *
     * @return this
     */
    public Builder reuseAddressesAcrossDevices() {
      reusesAddressesAcrossDevices = true;
      return this;
    }

    /**
     * Lets a new pool get the handle of a destroyed one of its device, with the access that was
     * granted to that one.
     *
     * @return this
     */
    public Builder recycledPoolsInheritGrants() {
      recycledPoolsInheritGrants = true;
      return this;
    }

    /**
     * Leaves the places out of the findings: for many short runs, where taking a stack trace at
     * each allocation costs more than the rest. A run that finds something can be repeated with
     * them.
     *
     * @return this
     */
    public Builder withoutPlaces() {
      recordsPlaces = false;
      return this;
    }

    /**
     * Gives a kernel of every module its body. The machine runs no CUDA code: a kernel that it was
     * given no body for is {@code NOT_FOUND}.
     *
     * @param name as modules are asked for it
     * @param body what a launch does
     * @return this
     */
    public Builder kernel(String name, KernelBody body) {
      kernels.put(name, KernelSpec.undeclared(body));
      return this;
    }

    /**
     * Gives a kernel of every module its body, and its parameters their sizes, so that a launch
     * with others is refused as it is by the real driver.
     *
     * @param name as modules are asked for it
     * @param parameterBytes the size of each parameter in order; an array is a pointer of 8 bytes
     * @param body what a launch does
     * @return this
     * @throws IllegalArgumentException where a size is not positive
     */
    public Builder kernel(String name, List<Integer> parameterBytes, KernelBody body) {
      kernels.put(name, KernelSpec.declared(parameterBytes, body));
      return this;
    }

    /**
     * Lets streams work late, in an order that a seed decides among all that streams, events and
     * the host allow, and checks the order as {@link #checkOrder} does. The same seed and the same
     * calls, from one thread, give the same run.
     *
     * @param chosen any number
     * @return this
     */
    public Builder seed(long chosen) {
      seed = chosen;
      return this;
    }

    /**
     * Checks that everything that streams do to the same memory has an order that the driver
     * promises, and notes as a {@link Finding} what has none. That takes time and memory at each
     * call.
     *
     * @return this
     */
    public Builder checkOrder() {
      checksOrder = true;
      return this;
    }

    /**
     * Builds a machine.
     *
     * @return a fresh one at every call, not initialised
     */
    public SimulatedDriver build() {
      return new SimulatedDriver(
          new MachineSpec(
              preset,
              devices == 0 ? preset.devices() : devices,
              memoryPerDevice == 0 ? preset.memoryPerDevice() : memoryPerDevice,
              pinnedLimit,
              peerLimit == 0 ? preset.peerLimit() : peerLimit,
              flipsAfter,
              reusesAddressesAcrossDevices,
              recycledPoolsInheritGrants,
              recordsPlaces,
              seed,
              checksOrder,
              List.copyOf(faults),
              Map.copyOf(kernels)));
    }

    private static Fault checked(String call, int nth, int code) {
      Preconditions.checkArgument(
          CALLS.contains(call), "the driver has no call named \"%s\"", call);
      Preconditions.checkArgument(nth >= 1, "call number %s: they count from 1", nth);
      Preconditions.checkArgument(code != CudaError.SUCCESS, "a fault that succeeds");
      return new Fault(call, nth, code);
    }
  }
}
