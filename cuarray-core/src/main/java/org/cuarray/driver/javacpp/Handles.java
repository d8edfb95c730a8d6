package org.cuarray.driver.javacpp;

import org.bytedeco.cuda.cudart.CUctx_st;
import org.bytedeco.cuda.cudart.CUevent_st;
import org.bytedeco.cuda.cudart.CUfunc_st;
import org.bytedeco.cuda.cudart.CUmemPoolHandle_st;
import org.bytedeco.cuda.cudart.CUmod_st;
import org.bytedeco.cuda.cudart.CUstream_st;
import org.bytedeco.javacpp.Pointer;

/**
 * One thread's pointer objects, aimed anew for each call, so that a call allocates nothing.
 *
 * <p>The presets take every handle as a {@link Pointer}, of which native code reads and writes only
 * the {@code address} field. No pool of handles is kept, hence none can be stale: a handle that the
 * driver gave out, destroyed and gave out again is just a number here. The objects own no memory
 * and register no deallocator.
 *
 * <p>Confined to its thread, virtual threads included: a thread aims the objects and makes one
 * native call with them, and nothing that the call does comes back into Java. All is made at the
 * thread's first call, when it can't have pushed a context yet: direct buffers are registered under
 * a monitor, and a virtual thread that waited for it might leave the carrier that has its context.
 * A method that needs two handles of a kind uses {@code context} and {@code otherContext}, never
 * one of them twice.
 *
 * <p>The return types are those of the presets' parameters, to the letter: so the classes that call
 * them can be verified without the presets on the class path, and their absence is reported.
 */
final class Handles {
  private static final ThreadLocal<Handles> OF_THREAD = ThreadLocal.withInitial(Handles::new);

  private final Context context = new Context();
  private final Context otherContext = new Context();
  private final Stream stream = new Stream();
  private final Event event = new Event();
  private final Event otherEvent = new Event();
  private final Pool pool = new Pool();
  private final Module module = new Module();
  private final Function function = new Function();
  private final Host host = new Host();
  private final ResultMemory results = new ResultMemory();
  private final ParameterMemory parameters = new ParameterMemory();

  private Handles() {}

  static Handles ofThread() {
    return OF_THREAD.get();
  }

  CUctx_st context(long handle) {
    return context.at(handle);
  }

  CUctx_st otherContext(long handle) {
    return otherContext.at(handle);
  }

  CUstream_st stream(long handle) {
    return stream.at(handle);
  }

  CUevent_st event(long handle) {
    return event.at(handle);
  }

  CUevent_st otherEvent(long handle) {
    return otherEvent.at(handle);
  }

  CUmemPoolHandle_st pool(long handle) {
    return pool.at(handle);
  }

  CUmod_st module(long handle) {
    return module.at(handle);
  }

  CUfunc_st function(long handle) {
    return function.at(handle);
  }

  Pointer host(long address) {
    return host.at(address);
  }

  /** Where the driver writes results that are not handles. */
  ResultMemory results() {
    return results;
  }

  /** What a kernel is launched with. */
  ParameterMemory parameters() {
    return parameters;
  }

  private static final class Context extends CUctx_st {
    CUctx_st at(long handle) {
      address = handle;
      return this;
    }
  }

  private static final class Stream extends CUstream_st {
    CUstream_st at(long handle) {
      address = handle;
      return this;
    }
  }

  private static final class Event extends CUevent_st {
    CUevent_st at(long handle) {
      address = handle;
      return this;
    }
  }

  private static final class Pool extends CUmemPoolHandle_st {
    CUmemPoolHandle_st at(long handle) {
      address = handle;
      return this;
    }
  }

  private static final class Module extends CUmod_st {
    CUmod_st at(long handle) {
      address = handle;
      return this;
    }
  }

  private static final class Function extends CUfunc_st {
    CUfunc_st at(long handle) {
      address = handle;
      return this;
    }
  }

  private static final class Host extends Pointer {
    Pointer at(long hostAddress) {
      address = hostAddress;
      return this;
    }
  }
}
