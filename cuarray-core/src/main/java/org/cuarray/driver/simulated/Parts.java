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
    streams = new Streams(machine, contexts);
    events = new Events(machine, contexts, streams);
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
    machine.schedule.finish(context);
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
    machine.schedule.finish(context);
    return synchronised(context.device);
  }

  /** What was waited for may have been the end of the device. */
  private int synchronised(Device device) {
    pools.synchronised(device);
    return device.lost ? Machine.LOST : SUCCESS;
  }

  int synchronizeStream(long handle) {
    Stream stream = streams.usable(handle);
    if (stream == null) {
      return streams.refusal(handle);
    }
    machine.schedule.finish(stream);
    return synchronised(stream.device());
  }

  int synchronizeEvent(long handle) {
    Event event = events.usable(handle);
    if (event == null) {
      return events.refusal(handle);
    }
    machine.schedule.finish(event);
    return synchronised(event.context.device);
  }

  int allocateAsync(long[] pointer, long bytes, long streamHandle) {
    Stream stream = streams.usable(streamHandle);
    return stream == null ? streams.refusal(streamHandle) : pools.allocate(pointer, bytes, stream);
  }

  int allocateFromPoolAsync(long[] pointer, long bytes, long pool, long streamHandle) {
    Stream stream = streams.usable(streamHandle);
    return stream == null
        ? streams.refusal(streamHandle)
        : pools.allocate(pointer, bytes, pool, stream);
  }
}
