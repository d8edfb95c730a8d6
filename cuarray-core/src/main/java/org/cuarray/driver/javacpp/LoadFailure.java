package org.cuarray.driver.javacpp;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says in words why the native half of the bindings did not load.
 *
 * <p>JavaCPP's outermost error is the same whatever is wrong ("no jnicudart in java.library.path");
 * the dynamic loader's own words stand in one of the causes. They come in the user's language, so
 * the name of the library that is missing is looked for, not the sentence around it.
 */
final class LoadFailure {
  /** {@code libcuda.so.1: cannot open shared object file}, in any language. */
  private static final Pattern SHARED_OBJECT =
      Pattern.compile("(?<![^\\s/])lib[^\\s/:]+\\.so[.0-9]*(?=: )");

  /** {@code version `GLIBC_2.34' not found}, in any language. */
  private static final Pattern SYMBOL_VERSION =
      Pattern.compile("\\b(GLIBC|GLIBCXX|CXXABI|GCC)_[0-9][0-9.]*");

  private LoadFailure() {}

  /**
   * Why loading failed and what to do about it.
   *
   * @param failure what the first use of the bindings threw
   * @param platform in JavaCPP's words, such as {@code linux-x86_64}
   * @return one paragraph that starts in lower case
   */
  static String classify(Throwable failure, String platform) {
    List<String> messages = messages(failure);
    String text = String.join("\n", messages);
    if (text.contains("Could not initialize class org.bytedeco.")) {
      return "other code of this process used the bindings before cuarray did, and they failed to"
          + " load: the reason went to that code, and the JVM keeps none. Usually the NVIDIA driver,"
          + " the CUDA runtime library, or a jar with classifier "
          + platform
          + " is missing; open a CuRuntime first to be told which.";
    }
    if (failure instanceof NoClassDefFoundError && text.contains("org/bytedeco/")) {
      return "the Java half of the bindings is not on the class path or module path. Add the jars"
          + " org.bytedeco:cuda and org.bytedeco:javacpp, with the versions that cuarray names."
          + loaderSaid(messages);
    }
    if (text.contains("\" not supported by")) {
      return "there is no CUDA for the platform "
          + platform
          + ". It exists for linux-x86_64, linux-arm64 and windows-x86_64: run there, or use the"
          + " simulated driver.";
    }
    if (text.contains("undefined symbol")) {
      return "the NVIDIA driver's library lacks a function that the bindings name. Install a newer"
          + " driver, "
          + DriverVersion.MINIMUM_TEXT
          + " at least; where LD_BIND_NOW is set, unset it, for it demands even the functions that"
          + " nobody calls."
          + loaderSaid(messages);
    }
    if (text.contains("failed to map segment")) {
      return "the bindings' native library cannot be run from the folder that it was unpacked to,"
          + " most likely because that file system is mounted noexec. Name another folder with"
          + " -Dorg.bytedeco.javacpp.cachedir=FOLDER."
          + loaderSaid(messages);
    }
    if (text.contains("wrong ELF class")
        || text.contains("invalid ELF header")
        || text.contains("Possible cause:")) {
      return "a native library on the loader's path is for another platform than "
          + platform
          + ". "
          + nativesAdvice(platform)
          + loaderSaid(messages);
    }
    Matcher version = SYMBOL_VERSION.matcher(text);
    if (version.find()) {
      return "this machine's C or C++ runtime is too old for the bindings, which need "
          + version.group()
          + ". Run on a newer Linux (glibc 2.34 or later), or in a container of one."
          + loaderSaid(messages);
    }
    String library = missingLibrary(text);
    if (!library.isEmpty()) {
      return missing(library, platform) + loaderSaid(messages);
    }
    if (text.contains("jnicudart.dll: ")) {
      return "the NVIDIA driver (nvcuda.dll) or the CUDA runtime library (cudart64_13.dll) is"
          + " missing. Install the NVIDIA driver, "
          + DriverVersion.MINIMUM_TEXT
          + " or newer, and "
          + runtimeAdvice(platform)
          + loaderSaid(messages);
    }
    if (text.contains("jnicudart")) {
      return "the native half of the bindings for this platform, "
          + platform
          + ", is not on the class path. "
          + nativesAdvice(platform)
          + loaderSaid(messages);
    }
    return "the CUDA bindings did not load, for a reason that cuarray does not know."
        + loaderSaid(messages);
  }

  private static String missing(String library, String platform) {
    if (library.startsWith("libcuda.so")) {
      return "there is no NVIDIA driver: its library "
          + library
          + " did not load. Install the NVIDIA driver, "
          + DriverVersion.MINIMUM_TEXT
          + " or newer; start a container with access to the GPUs (--gpus all); where the library"
          + " is in an unusual place, put its folder on LD_LIBRARY_PATH.";
    }
    if (library.startsWith("libcudart.so")) {
      return "the CUDA runtime library "
          + library
          + " is missing; the NVIDIA driver does not bring it. To get it, "
          + runtimeAdvice(platform);
    }
    return "the system library "
        + library
        + ", which the bindings link, did not load. Install it with the system's package manager.";
  }

  private static String runtimeAdvice(String platform) {
    String path = platform.startsWith("windows") ? "PATH" : "LD_LIBRARY_PATH";
    return "install the runtime of CUDA toolkit 13 (package cuda-cudart-13-0 or later) and put its"
        + " library folder on "
        + path
        + ", or add the jar org.bytedeco:cuda-redist with classifier "
        + platform
        + " in the version of the jar org.bytedeco:cuda.";
  }

  private static String nativesAdvice(String platform) {
    return "Add the jars org.bytedeco:cuda and org.bytedeco:javacpp with classifier "
        + platform
        + ", in the versions of the jars without classifier.";
  }

  /** The first library named before a colon that is not the bindings' own. */
  private static String missingLibrary(String text) {
    Matcher named = SHARED_OBJECT.matcher(text);
    while (named.find()) {
      if (!named.group().startsWith("libjni")) {
        return named.group();
      }
    }
    return "";
  }

  private static String loaderSaid(List<String> messages) {
    String last = messages.get(messages.size() - 1);
    for (String message : messages) {
      if (message.toLowerCase(Locale.ROOT).contains(".so: ")) {
        last = message;
      }
    }
    return " The loader said: " + last.replaceAll("\\s+", " ").strip();
  }

  /** One line each for the failure and its causes. Never empty, and bounded where causes loop. */
  private static List<String> messages(Throwable failure) {
    List<String> messages = new ArrayList<>();
    Throwable cause = failure;
    while (cause != null && messages.size() < 16) {
      String message = cause.getMessage();
      messages.add(message == null ? cause.getClass().getName() : message);
      cause = cause.getCause();
    }
    return messages;
  }
}
