package org.cuarray.driver.simulated;

import static org.cuarray.driver.CudaError.CONTEXT_IS_DESTROYED;
import static org.cuarray.driver.CudaError.INVALID_CONTEXT;
import static org.cuarray.driver.CudaError.INVALID_DEVICE;
import static org.cuarray.driver.CudaError.SUCCESS;

import org.jspecify.annotations.Nullable;

/** Contexts and which of them each thread has current. */
final class Contexts {
  private final Machine machine;
  private final CurrentContexts current = new CurrentContexts();
  private final HandleTable<Context> table = new HandleTable<>(HandleTable.CONTEXTS);

  Contexts(Machine machine) {
    this.machine = machine;
  }

  /** The calling thread's context where work can be given to it, else null: {@link #refusal}. */
  @Nullable Context current() {
    Context context = table.get(current.top());
    return context != null && context.alive && !context.device.lost ? context : null;
  }

  /** Why {@link #current} gave null. */
  int refusal() {
    long handle = current.top();
    if (handle == 0) {
      return INVALID_CONTEXT;
    }
    Context context = table.get(handle);
    return context != null && context.alive ? Machine.LOST : CONTEXT_IS_DESTROYED;
  }

  /** The live context of a handle, or null. */
  @Nullable Context live(long handle) {
    Context context = table.get(handle);
    return context != null && context.alive ? context : null;
  }

  int retainPrimary(long[] handle, int ordinal) {
    Device device = machine.device(ordinal);
    if (device == null) {
      return INVALID_DEVICE;
    }
    if (device.lost) {
      return Machine.LOST;
    }
    Context primary = device.primary;
    if (primary == null) {
      primary = new Context(device, true);
      primary.handle = table.add(primary);
      device.primary = primary;
    }
    if (primary.retained++ == 0) {
      primary.alive = true;
      device.contexts.add(primary);
    }
    handle[0] = primary.handle;
    return SUCCESS;
  }

  /** Counts a release; true where that was the last use and the context must be emptied. */
  boolean releasePrimary(Context primary) {
    if (--primary.retained > 0) {
      return false;
    }
    end(primary);
    return true;
  }

  int primaryState(int ordinal, int[] flags, int[] active) {
    Device device = machine.device(ordinal);
    if (device == null) {
      return INVALID_DEVICE;
    }
    flags[0] = 0;
    active[0] = device.primary != null && device.primary.alive ? 1 : 0;
    return SUCCESS;
  }

  int create(long[] handle, int flags, int ordinal) {
    Device device = machine.device(ordinal);
    if (device == null) {
      return INVALID_DEVICE;
    }
    if (device.lost) {
      return Machine.LOST;
    }
    Context context = new Context(device, false);
    context.handle = table.add(context);
    context.alive = true;
    device.contexts.add(context);
    current.push(context.handle);
    handle[0] = context.handle;
    return SUCCESS;
  }

  /** Ends a user-created context; other threads that have it current keep the dead handle. */
  void destroy(Context context) {
    if (current.top() == context.handle) {
      current.pop();
    }
    table.remove(context.handle);
    end(context);
  }

  private static void end(Context context) {
    context.alive = false;
    context.device.contexts.remove(context);
  }

  int getCurrent(long[] handle) {
    handle[0] = current.top();
    return SUCCESS;
  }

  /** Binding a thread is bookkeeping: it works for a lost device's context too. */
  int setCurrent(long handle) {
    if (handle != 0 && live(handle) == null) {
      return INVALID_CONTEXT;
    }
    current.set(handle);
    return SUCCESS;
  }

  int push(long handle) {
    if (live(handle) == null) {
      return INVALID_CONTEXT;
    }
    current.push(handle);
    return SUCCESS;
  }

  int pop(long[] handle) {
    long top = current.top();
    if (top == 0) {
      return INVALID_CONTEXT;
    }
    current.pop();
    handle[0] = top;
    return SUCCESS;
  }

  int currentDevice(int[] ordinal) {
    Context context = live(current.top());
    if (context == null) {
      return refusal();
    }
    ordinal[0] = context.device.ordinal;
    return SUCCESS;
  }
}
