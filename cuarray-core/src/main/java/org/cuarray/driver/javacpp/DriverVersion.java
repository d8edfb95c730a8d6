package org.cuarray.driver.javacpp;

/**
 * Which drivers are new enough.
 *
 * <p>The bindings are built for CUDA 13, but call the driver's functions only, each bound at its
 * first call. So what counts is the youngest function that this library calls: {@code
 * cuEventElapsedTime_v2}, of CUDA 12.8 by NVIDIA's {@code cudaTypedefs.h} (then {@code
 * cuCtxCreate_v4}, 12.5). With an older driver that call would end the process in the dynamic
 * linker. {@code libcudart.so.13} must be there to be linked, but none of its functions is called,
 * so that NVIDIA's rule for the CUDA 13 runtime, driver 580 or newer, does not bind. Measured with
 * driver 580.
 */
final class DriverVersion {
  /** As {@code cuDriverGetVersion} counts. */
  static final int MINIMUM = 12080;

  /** {@link #MINIMUM} as users know it. */
  static final String MINIMUM_TEXT = "version 570 (CUDA 12.8)";

  private DriverVersion() {}

  static boolean isTooOld(int version) {
    return version < MINIMUM;
  }

  static String tooOld(int version) {
    return "the NVIDIA driver is too old: it offers CUDA "
        + version / 1000
        + "."
        + version % 1000 / 10
        + ", and "
        + MINIMUM_TEXT
        + " is the oldest that will do. Install a newer NVIDIA driver.";
  }
}
