package org.cuarray.driver.javacpp;

import org.bytedeco.cuda.global.nvrtc;
import org.bytedeco.javacpp.Loader;
import org.cuarray.CuUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * The one attempt of a process to load CUDA's run-time compiler, and what came of it. The driver
 * works without it, so nothing is loaded before the first source is compiled.
 *
 * <p>One, for the same reason as {@link Startup}: at a second attempt the reason would be gone.
 */
final class NvrtcLibrary {
  private static final NvrtcLibrary OF_PROCESS = attempt();

  private final String reason;
  private final @Nullable Throwable cause;

  private NvrtcLibrary(String reason, @Nullable Throwable cause) {
    this.reason = reason;
    this.cause = cause;
  }

  /**
   * Loads the library, if that was not done yet.
   *
   * @throws CuUnavailableException where it can't be had, every time with the same reason
   */
  static void require() {
    if (OF_PROCESS.cause != null) {
      throw new CuUnavailableException(OF_PROCESS.reason, OF_PROCESS.cause);
    }
  }

  /** Runs in a static initialiser, out of which nothing may come. */
  private static NvrtcLibrary attempt() {
    try {
      Loader.load(nvrtc.class);
      return new NvrtcLibrary("", null);
    } catch (LinkageError | RuntimeException e) {
      return new NvrtcLibrary(explain(e, Startup.platform()), e);
    }
  }

  /**
   * Why the compiler did not load.
   *
   * @param failure what loading it threw
   * @param platform in JavaCPP's words, such as {@code linux-x86_64}
   * @return one paragraph that starts in lower case
   */
  static String explain(Throwable failure, String platform) {
    return namesNvrtc(failure)
        ? "CUDA's run-time compiler, the library "
            + (isWindows(platform) ? "nvrtc64_130_0.dll" : "libnvrtc.so.13")
            + ", did not load; the NVIDIA driver does not bring it. "
            + howToGet(platform)
        : LoadFailure.classify(failure, platform);
  }

  /**
   * What to install.
   *
   * @param platform in JavaCPP's words
   */
  static String howToGet(String platform) {
    return "Install NVRTC of CUDA toolkit 13 (package cuda-nvrtc-13-0 or later) and put its library"
        + " folder on "
        + (isWindows(platform) ? "PATH" : "LD_LIBRARY_PATH")
        + ", or add the jar org.bytedeco:cuda-redist with classifier "
        + platform
        + " in the version of the jar org.bytedeco:cuda; or compile with nvcc beforehand and give"
        + " the cubin or PTX to CuRuntime.load.";
  }

  private static boolean isWindows(String platform) {
    return platform.startsWith("windows");
  }

  private static boolean namesNvrtc(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < 16; depth++) {
      String message = cause.getMessage();
      if (message != null && message.contains("nvrtc")) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }
}
