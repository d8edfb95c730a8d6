package org.cuarray.driver.javacpp;

import com.google.common.util.concurrent.Uninterruptibles;
import java.util.List;
import org.bytedeco.cuda.global.nvrtc;
import org.cuarray.CuCompilationException;
import org.cuarray.CuException;
import org.cuarray.CuUnavailableException;
import org.cuarray.driver.KernelCompiler;

/**
 * NVRTC, CUDA's run-time compiler. Its library is loaded when the first source is compiled.
 *
 * <p>It makes machine code for exactly the device wherever it can: a driver that is older than the
 * compiler loads a cubin, but refuses PTX of a version that it does not know.
 */
final class NvrtcCompiler implements KernelCompiler {
  static final NvrtcCompiler INSTANCE = new NvrtcCompiler();

  /** What the compiler calls the source in its messages. */
  private static final String NAME = "kernel.cu";

  /**
   * NVRTC 13.0 compiles on the calling thread, recursively, and takes the process down where the
   * stack ends: on Java's usual 1 MiB at an expression 1000 levels deep, on 256 KiB at an ordinary
   * use of CUB. 16 MiB hold 3000 levels. Only what is used is ever resident.
   */
  private static final long STACK_BYTES = 64L << 20;

  private static final System.Logger LOG = System.getLogger("org.cuarray");

  private NvrtcCompiler() {}

  @Override
  public byte[] compile(String source, int architecture, List<String> options) {
    NvrtcLibrary.require();
    NvrtcTarget target = NvrtcTarget.of(options, architecture, supportedArchitectures(), version());
    NvrtcCompilation compilation = new NvrtcCompilation(source, NAME, target);
    Thread thread = new Thread(null, compilation, "cuarray-nvrtc", STACK_BYTES);
    thread.setDaemon(true);
    thread.start();
    Uninterruptibles.joinUninterruptibly(thread);
    if (compilation.status() != nvrtc.NVRTC_SUCCESS) {
      throw failure(compilation, target);
    }
    if (!compilation.log().isBlank()) {
      LOG.log(System.Logger.Level.DEBUG, "compiling {0}: {1}", NAME, compilation.log());
    }
    return compilation.code();
  }

  private static CuException failure(NvrtcCompilation compilation, NvrtcTarget target) {
    String what =
        "compiling %s for %s with NVRTC %s failed: %s"
            .formatted(NAME, target.architecture(), version(), errorName(compilation.status()));
    return compilation.status() == nvrtc.NVRTC_ERROR_BUILTIN_OPERATION_FAILURE
        ? new CuUnavailableException(
            what
                + ". A part of NVRTC, the library libnvrtc-builtins, is missing; it belongs beside"
                + " the first. "
                + NvrtcLibrary.howToGet(Startup.platform())
                + " The compiler said: "
                + compilation.log().replaceAll("\\s+", " ").strip())
        : new CuCompilationException(what, compilation.log());
  }

  private static int[] supportedArchitectures() {
    int[] count = new int[1];
    check(nvrtc.nvrtcGetNumSupportedArchs(count), "nvrtcGetNumSupportedArchs");
    int[] architectures = new int[count[0]];
    check(nvrtc.nvrtcGetSupportedArchs(architectures), "nvrtcGetSupportedArchs");
    return architectures;
  }

  private static String version() {
    int[] major = new int[1];
    int[] minor = new int[1];
    check(nvrtc.nvrtcVersion(major, minor), "nvrtcVersion");
    return major[0] + "." + minor[0];
  }

  private static void check(int status, String call) {
    if (status != nvrtc.NVRTC_SUCCESS) {
      throw new CuException(call + " failed: " + errorName(status));
    }
  }

  private static String errorName(int status) {
    return nvrtc.nvrtcGetErrorString(status).getString();
  }
}
