package org.cuarray.driver.simulated;

import static org.cuarray.driver.CudaError.INVALID_HANDLE;
import static org.cuarray.driver.CudaError.INVALID_VALUE;
import static org.cuarray.driver.CudaError.NOT_READY;
import static org.cuarray.driver.CudaError.SUCCESS;

import org.jspecify.annotations.Nullable;

/** Events by their handles, and what the driver checks before it records one or waits for it. */
final class Events {
  /** Blocking sync, no timing, interprocess. */
  private static final int ALL_FLAGS = 7;

  /** {@code CU_EVENT_WAIT_EXTERNAL}. */
  private static final int WAIT_EXTERNAL = 1;

  private static final double NANOSECONDS_PER_MILLISECOND = 1e6;

  private final Machine machine;
  private final Contexts contexts;
  private final Streams streams;
  private final HandleTable<Event> table = new HandleTable<>(HandleTable.EVENTS);

  Events(Machine machine, Contexts contexts, Streams streams) {
    this.machine = machine;
    this.contexts = contexts;
    this.streams = streams;
  }

  int create(long[] handle, int flags) {
    Context context = contexts.current();
    if (context == null) {
      return contexts.refusal();
    }
    if ((flags & ~ALL_FLAGS) != 0) {
      return INVALID_VALUE;
    }
    handle[0] = table.add(new Event(context, flags));
    return SUCCESS;
  }

  int destroy(long handle) {
    Event event = table.get(handle);
    if (event == null) {
      return INVALID_HANDLE;
    }
    table.remove(handle);
    return event.context.device.lost ? Machine.LOST : SUCCESS;
  }

  /** Forgets the events of a context that ended. */
  void endAllOf(Context context) {
    table.removeIf(event -> event.context == context);
  }

  /** Event and stream must be of one context ({@code cuEventRecord}). */
  int record(long handle, long streamHandle) {
    Event event = usable(handle);
    if (event == null) {
      return refusal(handle);
    }
    Stream stream = streams.usable(streamHandle);
    if (stream == null) {
      return streams.refusal(streamHandle);
    }
    if (stream.context != event.context) {
      return INVALID_HANDLE;
    }
    event.recorded = true;
    machine.schedule.record(stream, event);
    return SUCCESS;
  }

  /** Waiting for an event never recorded is no wait, and any context's event may be waited for. */
  int await(long streamHandle, long handle, int flags) {
    Stream stream = streams.usable(streamHandle);
    if (stream == null) {
      return streams.refusal(streamHandle);
    }
    Event event = usable(handle);
    if (event == null) {
      return refusal(handle);
    }
    if ((flags & ~WAIT_EXTERNAL) != 0) {
      return INVALID_VALUE;
    }
    machine.schedule.await(stream, event);
    return SUCCESS;
  }

  /** An event never recorded counts as completed ({@code cuEventQuery}). */
  int query(long handle) {
    Event event = usable(handle);
    if (event == null) {
      return refusal(handle);
    }
    return machine.schedule.isDone(event) ? SUCCESS : NOT_READY;
  }

  int elapsed(float[] milliseconds, long startHandle, long endHandle) {
    Event start = usable(startHandle);
    if (start == null) {
      return refusal(startHandle);
    }
    Event end = usable(endHandle);
    if (end == null) {
      return refusal(endHandle);
    }
    if (!start.isTimed() || !end.isTimed() || !start.recorded || !end.recorded) {
      return INVALID_HANDLE;
    }
    if (start.context.device != end.context.device) {
      return INVALID_HANDLE;
    }
    if (!machine.schedule.isDone(start) || !machine.schedule.isDone(end)) {
      return NOT_READY;
    }
    milliseconds[0] = (float) ((end.recordedAt - start.recordedAt) / NANOSECONDS_PER_MILLISECOND);
    return SUCCESS;
  }

  /** The event of a handle where its device still answers, else null: {@link #refusal}. */
  @Nullable Event usable(long handle) {
    Event event = table.get(handle);
    return event == null || event.context.device.lost ? null : event;
  }

  /** Why {@link #usable} gave null. */
  int refusal(long handle) {
    return table.get(handle) == null ? INVALID_HANDLE : Machine.LOST;
  }
}
