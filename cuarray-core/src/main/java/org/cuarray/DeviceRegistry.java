package org.cuarray;

import org.cuarray.driver.CudaDriver;
import org.cuarray.memory.Block;
import org.cuarray.registry.Allocation;
import org.cuarray.registry.DeviceContexts;
import org.cuarray.registry.ForeignPointers;
import org.cuarray.registry.ForeignPointers.ForeignAllocation;
import org.cuarray.registry.PointerTable;

/**
 * Pointer → device → context, for this library's memory and for anybody else's in the process.
 *
 * <p>Needs no current context and leaves none behind. Pool memory, whose context attribute is NULL,
 * resolves to its device and so to that device's context. Thread-safe.
 */
public final class DeviceRegistry {
  private final CuRuntime runtime;
  private final DeviceContexts contexts;
  private final PointerTable table;
  private final ForeignPointers foreign;

  DeviceRegistry(CuRuntime runtime, CudaDriver driver) {
    this.runtime = runtime;
    this.contexts = DeviceContexts.of(driver);
    this.table = PointerTable.of(driver);
    this.foreign = new ForeignPointers(driver);
  }

  /**
   * What a pointer points to.
   *
   * @param pointer any address, interior ones included
   * @return its allocation, device and context
   * @throws IllegalArgumentException where CUDA knows no memory at that address
   */
  public PointerInfo resolve(long pointer) {
    Allocation ours = table.find(pointer);
    if (ours instanceof Block block && !block.isFreed() && !block.isForeign()) {
      return info(ours, PointerInfo.Owner.CUARRAY);
    }
    return info(resolveForeign(pointer), PointerInfo.Owner.FOREIGN);
  }

  /** What the driver says of a pointer that is not ours. */
  ForeignAllocation resolveForeign(long pointer) {
    return foreign
        .resolve(pointer)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "0x%x is not an address that CUDA knows: never allocated, freed, or of another process"
                        .formatted(pointer)));
  }

  private PointerInfo info(Allocation allocation, PointerInfo.Owner owner) {
    return new PointerInfo(
        runtime.device(allocation.ordinal()),
        allocation.context(),
        allocation.kind(),
        allocation.base(),
        allocation.bytes(),
        owner);
  }

  /**
   * The context through which the library uses a device.
   *
   * @param device a device of this runtime
   * @return the driver's handle; the primary context unless {@link #bind} gave another, created now
   *     if the device was not in use
   */
  public long contextOf(CuDevice device) {
    return contexts.context(runtime.requireOwn(device).ordinal());
  }

  /**
   * Uses an application's own context for a device, instead of the primary one.
   *
   * @param device a device that this process has not used through the library yet
   * @param context the driver's handle; must outlive every use of the device
   * @throws IllegalArgumentException where the context belongs to another device
   * @throws IllegalStateException where the device is in use through another context
   */
  public void bind(CuDevice device, long context) {
    contexts.bind(runtime.requireOwn(device).ordinal(), context);
  }
}
