package org.cuarray.driver.simulated;

import org.cuarray.driver.CudaError;
import org.jspecify.annotations.Nullable;

/** What the nouns of one simulated machine share. Guarded by the lock of its {@link Gate}. */
final class Machine {
  /** Reported for a lost device: found while it worked, which is not what 46 or 999 say. */
  static final int LOST = CudaError.ECC_UNCORRECTABLE;

  /** Four times any device's memory: addresses do not run out before memory does. */
  static final long ADDRESSES_PER_DEVICE = 1L << 42;

  static final int MAX_DEVICES = 16;
  private static final long PINNED_ADDRESSES = 0x7000_0000_0000L;
  private static final long PAGEABLE_ADDRESSES = 0x7800_0000_0000L;

  final MachineSpec spec;
  final Gate gate;
  final AddressMap memory = new AddressMap();
  final Findings findings = new Findings(this);
  final Schedule schedule;
  private final @Nullable SeededSchedule seeded;
  private final Device[] devices;
  private final @Nullable FreeRanges[] deviceAddresses;
  private @Nullable FreeRanges pinnedAddresses;
  private @Nullable FreeRanges pageableAddresses;
  private long lastTick;
  private long lastId;

  Machine(MachineSpec spec) {
    this.spec = spec;
    this.seeded = spec.seed() == null ? null : new SeededSchedule(spec.seed());
    Schedule plain = seeded == null ? new EagerSchedule() : seeded;
    this.schedule = seeded != null || spec.checksOrder() ? new CheckedSchedule(this, plain) : plain;
    this.gate = new Gate(spec.faults(), schedule::call);
    this.devices = new Device[spec.devices()];
    for (int i = 0; i < devices.length; i++) {
      devices[i] = new Device(i, spec.memoryPerDevice());
    }
    this.deviceAddresses = new FreeRanges[devices.length];
  }

  /** Goes on with another seed; see {@link SimulatedDriver#reseed}. */
  void reseed(long seed) {
    if (seeded == null) {
      throw new IllegalStateException("this machine was built without a seed");
    }
    seeded.reseed(seed);
  }

  int deviceCount() {
    return devices.length;
  }

  /** The device of an ordinal known to be one. */
  Device devices(int ordinal) {
    return devices[ordinal];
  }

  /** The device of an ordinal, or null. */
  @Nullable Device device(int ordinal) {
    return ordinal >= 0 && ordinal < devices.length ? devices[ordinal] : null;
  }

  /** The next number of the count on which mappings and grants are ordered. */
  long tick() {
    return ++lastTick;
  }

  /** The next number of the count of allocations. */
  long nextId() {
    return ++lastId;
  }

  /** Where the calling thread is, for findings. */
  Trace trace() {
    return spec.recordsPlaces() ? new Trace() : Trace.empty();
  }

  /** The addresses that a device allocates from; one set for all where the spec says so. */
  FreeRanges addressesOf(Device device) {
    int index = spec.reusesAddressesAcrossDevices() ? 0 : device.ordinal;
    FreeRanges addresses = deviceAddresses[index];
    if (addresses == null) {
      long room =
          spec.reusesAddressesAcrossDevices()
              ? MAX_DEVICES * ADDRESSES_PER_DEVICE
              : ADDRESSES_PER_DEVICE;
      addresses = new FreeRanges((index + 1) * ADDRESSES_PER_DEVICE, room);
      deviceAddresses[index] = addresses;
    }
    return addresses;
  }

  FreeRanges pinnedAddresses() {
    FreeRanges addresses = pinnedAddresses;
    if (addresses == null) {
      addresses = new FreeRanges(PINNED_ADDRESSES, ADDRESSES_PER_DEVICE);
      pinnedAddresses = addresses;
    }
    return addresses;
  }

  FreeRanges pageableAddresses() {
    FreeRanges addresses = pageableAddresses;
    if (addresses == null) {
      addresses = new FreeRanges(PAGEABLE_ADDRESSES, ADDRESSES_PER_DEVICE);
      pageableAddresses = addresses;
    }
    return addresses;
  }
}
