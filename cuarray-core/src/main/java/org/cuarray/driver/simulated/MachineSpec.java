package org.cuarray.driver.simulated;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a machine is built from. */
record MachineSpec(
    Preset preset,
    int devices,
    long memoryPerDevice,
    long pinnedLimit,
    int peerLimit,
    int flipsAfter,
    boolean reusesAddressesAcrossDevices,
    boolean recycledPoolsInheritGrants,
    boolean recordsPlaces,
    @Nullable Long seed,
    boolean checksOrder,
    List<Fault> faults,
    Map<String, KernelSpec> kernels) {}
