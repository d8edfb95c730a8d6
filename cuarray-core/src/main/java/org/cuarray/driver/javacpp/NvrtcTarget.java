package org.cuarray.driver.javacpp;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;
import java.util.List;
import org.cuarray.CuCompilationException;

/**
 * What NVRTC is to make code for.
 *
 * @param architecture {@code sm_90} for machine code, {@code compute_90} for PTX
 * @param options of the compiler, one that asks for the architecture among them
 */
record NvrtcTarget(String architecture, List<String> options) {
  private static final String LONG = "--gpu-architecture";
  private static final String SHORT = "-arch";

  /**
   * The target of a compilation: what an option asks for, else machine code for the device, else,
   * where the compiler is older than the device, the newest PTX, which the driver compiles further.
   *
   * @param options as given
   * @param device 10 × major + minor compute capability
   * @param supported all that the compiler knows, in the same numbers
   * @param version of the compiler, for messages
   */
  static NvrtcTarget of(List<String> options, int device, int[] supported, String version) {
    String asked = asked(options);
    if (!asked.isEmpty()) {
      return new NvrtcTarget(asked, options);
    }
    String architecture = bestFor(device, supported, version);
    return new NvrtcTarget(
        architecture,
        ImmutableList.<String>builder().addAll(options).add(LONG + "=" + architecture).build());
  }

  private static String bestFor(int device, int[] supported, String version) {
    int newest = Arrays.stream(supported).filter(known -> known <= device).max().orElse(0);
    if (newest == 0) {
      throw new CuCompilationException(
          "NVRTC %s makes code for the architectures %s, and the device is older: sm_%d"
              .formatted(version, Arrays.toString(supported), device),
          "");
    }
    return (newest == device ? "sm_" : "compute_") + newest;
  }

  /** The architecture that an option names, as {@code --option=value} or in two words, else "". */
  private static String asked(List<String> options) {
    for (int i = 0; i < options.size(); i++) {
      String option = options.get(i);
      for (String name : List.of(LONG, SHORT)) {
        if (option.startsWith(name + "=")) {
          return option.substring(name.length() + 1);
        }
        if (option.equals(name) && i + 1 < options.size()) {
          return options.get(i + 1);
        }
      }
    }
    return "";
  }

  /** Whether the result is PTX. */
  boolean isVirtual() {
    return architecture.startsWith("compute_");
  }
}
