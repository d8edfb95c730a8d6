package org.cuarray.driver.simulated;

import static org.cuarray.driver.CudaError.INVALID_HANDLE;
import static org.cuarray.driver.CudaError.INVALID_IMAGE;
import static org.cuarray.driver.CudaError.INVALID_VALUE;
import static org.cuarray.driver.CudaError.NOT_FOUND;
import static org.cuarray.driver.CudaError.NOT_SUPPORTED;
import static org.cuarray.driver.CudaError.SUCCESS;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.cuarray.driver.FunctionAttribute;
import org.jspecify.annotations.Nullable;

/**
 * Modules, their functions, and launches. Code is looked at only as far as telling PTX, cubins and
 * fatbins from anything else: every module has all kernels that the machine was given bodies for.
 */
final class Modules {
  private static final int LAST_ATTRIBUTE = 16;

  /** H200's figures, as in {@link Devices}. */
  private static final int THREADS_PER_BLOCK = 1024;

  private static final int BLOCK_Z = 64;
  private static final int GRID_Y_AND_Z = 65_535;
  private static final int USUAL_SHARED = 49_152;
  private static final int MOST_SHARED = 232_448;
  private static final int REGISTERS = 32;
  private static final int ARCHITECTURE = 90;

  private static final int ELF = 0x7F454C46;
  private static final int FATBIN = 0x50ED55BA;

  private static final class Module {
    private final Context context;

    Module(Context context) {
      this.context = context;
    }
  }

  private static final class Function {
    private final Module module;
    private final String name;
    private final KernelSpec spec;
    private int dynamicShared = USUAL_SHARED;

    Function(Module module, String name, KernelSpec spec) {
      this.module = module;
      this.name = name;
      this.spec = spec;
    }
  }

  private final Machine machine;
  private final Contexts contexts;
  private final Streams streams;
  private final HandleTable<Module> modules = new HandleTable<>(HandleTable.MODULES);
  private final HandleTable<Function> functions = new HandleTable<>(HandleTable.FUNCTIONS);

  Modules(Machine machine, Contexts contexts, Streams streams) {
    this.machine = machine;
    this.contexts = contexts;
    this.streams = streams;
  }

  int load(long[] handle, byte[] image, byte[] errorLog) {
    Context context = contexts.current();
    if (context == null) {
      return contexts.refusal();
    }
    if (!isImage(image)) {
      write("a simulated machine takes PTX, cubins and fatbins", errorLog);
      return INVALID_IMAGE;
    }
    handle[0] = modules.add(new Module(context));
    return SUCCESS;
  }

  /** Cubins and fatbins begin with four bytes of their own; PTX names its version. */
  private static boolean isImage(byte[] image) {
    if (image.length < Integer.BYTES) {
      return false;
    }
    int magic = ByteBuffer.wrap(image).getInt();
    return magic == ELF
        || magic == FATBIN
        || new String(image, StandardCharsets.ISO_8859_1).contains(".version");
  }

  private static void write(String text, byte[] log) {
    if (log.length > 0) {
      byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
      int length = Math.min(bytes.length, log.length - 1);
      System.arraycopy(bytes, 0, log, 0, length);
      log[length] = 0;
    }
  }

  int unload(long handle) {
    Context context = contexts.current();
    if (context == null) {
      return contexts.refusal();
    }
    Module module = modules.get(handle);
    if (module == null) {
      return INVALID_HANDLE;
    }
    modules.remove(handle);
    functions.removeIf(function -> function.module == module);
    return SUCCESS;
  }

  /** Forgets the modules of a context that ended. */
  void endAllOf(Context context) {
    modules.removeIf(module -> module.context == context);
    functions.removeIf(function -> function.module.context == context);
  }

  int function(long[] handle, long moduleHandle, String name) {
    Module module = modules.get(moduleHandle);
    if (module == null) {
      return INVALID_HANDLE;
    }
    if (module.context.device.lost) {
      return Machine.LOST;
    }
    KernelSpec spec = machine.spec.kernels().get(name);
    if (spec == null) {
      return NOT_FOUND;
    }
    handle[0] = functions.add(new Function(module, name, spec));
    return SUCCESS;
  }

  int finishLoading(long handle) {
    return functions.get(handle) == null ? INVALID_HANDLE : SUCCESS;
  }

  int attribute(int[] value, int attribute, long handle) {
    Function function = functions.get(handle);
    if (function == null) {
      return INVALID_HANDLE;
    }
    if (attribute < 0 || attribute > LAST_ATTRIBUTE) {
      return INVALID_VALUE;
    }
    value[0] =
        switch (attribute) {
          case FunctionAttribute.MAX_THREADS_PER_BLOCK -> THREADS_PER_BLOCK;
          case FunctionAttribute.NUM_REGS -> REGISTERS;
          case FunctionAttribute.PTX_VERSION, FunctionAttribute.BINARY_VERSION -> ARCHITECTURE;
          case FunctionAttribute.MAX_DYNAMIC_SHARED_SIZE_BYTES -> function.dynamicShared;
          default -> 0;
        };
    return SUCCESS;
  }

  int setAttribute(long handle, int attribute, int value) {
    Function function = functions.get(handle);
    if (function == null) {
      return INVALID_HANDLE;
    }
    if (attribute != FunctionAttribute.MAX_DYNAMIC_SHARED_SIZE_BYTES
        || value < 0
        || value > MOST_SHARED) {
      return INVALID_VALUE;
    }
    function.dynamicShared = value;
    return SUCCESS;
  }

  /** {@code NOT_SUPPORTED} where the body was given without: the real driver always knows. */
  int parameter(long handle, long index, long[] offset, long[] bytes) {
    Function function = functions.get(handle);
    if (function == null) {
      return INVALID_HANDLE;
    }
    List<Integer> sizes = function.spec.parameterBytes();
    if (sizes == null) {
      return NOT_SUPPORTED;
    }
    if (index < 0 || index >= sizes.size()) {
      return INVALID_VALUE;
    }
    offset[0] = KernelSpec.offset(sizes, (int) index);
    bytes[0] = sizes.get((int) index);
    return SUCCESS;
  }

  int launch(
      long handle, int[] grid, int[] block, int sharedBytes, long streamHandle, byte[] parameters) {
    Stream stream = streams.usable(streamHandle);
    if (stream == null) {
      return streams.refusal(streamHandle);
    }
    Function function = functions.get(handle);
    if (function == null || function.module.context != stream.context) {
      return INVALID_HANDLE;
    }
    if (!isLaunchable(grid, block)
        || sharedBytes < 0
        || sharedBytes > function.dynamicShared
        || !fits(function.spec.parameterBytes(), parameters)) {
      return INVALID_VALUE;
    }
    Device device = stream.device();
    KernelRun run =
        new KernelRun(device, machine.memory, function.name, grid, block, sharedBytes, parameters);
    return machine.schedule.launch(
        stream, new KernelLaunch(machine, device, function.spec.body(), run));
  }

  private static boolean isLaunchable(int[] grid, int[] block) {
    return grid[0] > 0
        && grid[1] > 0
        && grid[1] <= GRID_Y_AND_Z
        && grid[2] > 0
        && grid[2] <= GRID_Y_AND_Z
        && Arrays.stream(block).allMatch(threads -> threads > 0 && threads <= THREADS_PER_BLOCK)
        && block[2] <= BLOCK_Z
        && (long) block[0] * block[1] * block[2] <= THREADS_PER_BLOCK;
  }

  private static boolean fits(@Nullable List<Integer> sizes, byte[] parameters) {
    return sizes == null || KernelSpec.offset(sizes, sizes.size()) == parameters.length;
  }
}
