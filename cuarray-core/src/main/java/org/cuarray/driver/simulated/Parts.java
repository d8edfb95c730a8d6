package org.cuarray.driver.simulated;

import static org.cuarray.driver.CudaError.INVALID_CONTEXT;
import static org.cuarray.driver.CudaError.INVALID_DEVICE;
import static org.cuarray.driver.CudaError.SUCCESS;

/** The nouns of one machine, wired together, and what concerns them all. */
final class Parts {
  final Machine machine;
  final Devices devices;
  final Contexts contexts;
  final Streams streams;
  final Events events;
  final Peering peering;
  final Pools pools;
  final Memory memory;
  final HostMemory host;
  final Pointers pointers;
  final Copies copies;
  final Modules modules;

  Parts(MachineSpec spec) {
    machine = new Machine(spec);
    devices = new Devices(machine);
    contexts = new Contexts(machine);
    streams = new Streams(contexts);
    events = new Events(contexts, streams);
    peering = new Peering(machine, contexts);
    pools = new Pools(machine, peering);
    memory = new Memory(machine, contexts, streams, pools);
    host = new HostMemory(machine, contexts);
    pointers = new Pointers(memory);
    copies = new Copies(machine, contexts, streams, peering);
    modules = new Modules(machine, contexts, streams);
  }

  int releasePrimary(int ordinal) {
    Device device = machine.device(ordinal);
    if (device == null) {
      return INVALID_DEVICE;
    }
    Context primary = device.primary;
    if (primary == null || !primary.alive) {
      return INVALID_CONTEXT;
    }
    if (device.lost) {
      return Machine.LOST;
    }
    if (contexts.releasePrimary(primary)) {
      endAllOf(primary);
    }
    return SUCCESS;
  }

  int destroyContext(long handle) {
    Context context = contexts.live(handle);
    if (context == null || context.primary) {
      return INVALID_CONTEXT;
    }
    if (context.device.lost) {
      return Machine.LOST;
    }
    contexts.destroy(context);
    endAllOf(context);
    return SUCCESS;
  }

  private void endAllOf(Context context) {
    streams.endAllOf(context);
    events.endAllOf(context);
    peering.endAllOf(context);
    memory.endAllOf(context, host);
    modules.endAllOf(context);
  }

  int synchronizeContext() {
    Context context = contexts.current();
    if (context == null) {
      return contexts.refusal();
    }
    pools.synchronised(context.device);
    return SUCCESS;
  }

  int synchronizeStream(long handle) {
    Stream stream = streams.usable(handle);
    if (stream == null) {
      return streams.refusal(handle);
    }
    pools.synchronised(stream.device());
    return SUCCESS;
  }

  int synchronizeEvent(long handle) {
    int status = events.query(handle);
    if (status == SUCCESS) {
      pools.synchronised(events.deviceOf(handle));
    }
    return status;
  }

  int allocateAsync(long[] pointer, long bytes, long streamHandle) {
    Stream stream = streams.usable(streamHandle);
    return stream == null ? streams.refusal(streamHandle) : pools.allocate(pointer, bytes, stream);
  }

  int allocateFromPoolAsync(long[] pointer, long bytes, long pool, long streamHandle) {
    return streams.usable(streamHandle) == null
        ? streams.refusal(streamHandle)
        : pools.allocate(pointer, bytes, pool);
  }
}
