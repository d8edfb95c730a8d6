package org.cuarray.driver.simulated;

import static org.cuarray.driver.CudaError.INVALID_HANDLE;
import static org.cuarray.driver.CudaError.INVALID_VALUE;
import static org.cuarray.driver.CudaError.NOT_READY;
import static org.cuarray.driver.CudaError.SUCCESS;

import java.util.List;
import org.cuarray.driver.DriverFlags;
import org.jspecify.annotations.Nullable;

/** Streams by their handles, the default streams among them. */
final class Streams {
  /** {@code CU_STREAM_LEGACY} and {@code CU_STREAM_PER_THREAD}: the current context's own. */
  private static final long LAST_DEFAULT_STREAM = 2;

  /** As on H200: {@code cuCtxGetStreamPriorityRange} gives 0 and -5. */
  private static final int LEAST_PRIORITY = 0;

  private static final int GREATEST_PRIORITY = -5;

  private final Machine machine;
  private final Contexts contexts;
  private final HandleTable<Stream> table = new HandleTable<>(HandleTable.STREAMS);

  Streams(Machine machine, Contexts contexts) {
    this.machine = machine;
    this.contexts = contexts;
  }

  /**
   * The stream of a handle where work can be given to it, else null: {@link #refusal}. An explicit
   * stream needs no current context ({@code driver-facts.md}).
   */
  @Nullable Stream usable(long handle) {
    if (handle >= 0 && handle <= LAST_DEFAULT_STREAM) {
      Context context = contexts.current();
      return context == null ? null : context.defaultStream;
    }
    Stream stream = table.get(handle);
    return stream == null || stream.device().lost ? null : stream;
  }

  /** Why {@link #usable} gave null. */
  int refusal(long handle) {
    if (handle >= 0 && handle <= LAST_DEFAULT_STREAM) {
      return contexts.refusal();
    }
    return table.get(handle) == null ? INVALID_HANDLE : Machine.LOST;
  }

  int create(long[] handle, int flags, int priority) {
    Context context = contexts.current();
    if (context == null) {
      return contexts.refusal();
    }
    if (flags != 0 && flags != DriverFlags.STREAM_NON_BLOCKING) {
      return INVALID_VALUE;
    }
    int clamped = Math.max(GREATEST_PRIORITY, Math.min(LEAST_PRIORITY, priority));
    Stream stream = new Stream(context, flags, clamped);
    stream.handle = table.add(stream);
    context.streams.add(stream);
    handle[0] = stream.handle;
    return SUCCESS;
  }

  int destroy(long handle) {
    Stream stream = table.get(handle);
    if (stream == null) {
      return INVALID_HANDLE;
    }
    end(stream);
    return stream.device().lost ? Machine.LOST : SUCCESS;
  }

  private void end(Stream stream) {
    table.remove(stream.handle);
    machine.schedule.end(stream);
    stream.context.streams.remove(stream);
  }

  /** Ends the streams of a context that ended. */
  void endAllOf(Context context) {
    List.copyOf(context.streams).forEach(this::end);
  }

  int priorityRange(int[] least, int[] greatest) {
    if (contexts.current() == null) {
      return contexts.refusal();
    }
    least[0] = LEAST_PRIORITY;
    greatest[0] = GREATEST_PRIORITY;
    return SUCCESS;
  }

  int context(long handle, long[] context) {
    Stream stream = usable(handle);
    if (stream == null) {
      return refusal(handle);
    }
    context[0] = stream.context.handle;
    return SUCCESS;
  }

  int priority(long handle, int[] priority) {
    Stream stream = usable(handle);
    if (stream == null) {
      return refusal(handle);
    }
    priority[0] = stream.priority;
    return SUCCESS;
  }

  /** Nothing is ever captured here. */
  int isCapturing(long handle, int[] status) {
    Stream stream = usable(handle);
    if (stream == null) {
      return refusal(handle);
    }
    status[0] = 0;
    return SUCCESS;
  }

  int query(long handle) {
    Stream stream = usable(handle);
    if (stream == null) {
      return refusal(handle);
    }
    return machine.schedule.isDone(stream) ? SUCCESS : NOT_READY;
  }
}
