package org.cuarray.driver.javacpp;

import org.cuarray.driver.CudaError;
import org.jspecify.annotations.Nullable;

/** Says in words why a driver that is there does not start. */
final class InitFailure {
  /** CUDA_ERROR_STUB_LIBRARY. */
  private static final int STUB_LIBRARY = 34;

  /** CUDA_ERROR_SYSTEM_NOT_READY. */
  private static final int SYSTEM_NOT_READY = 802;

  private InitFailure() {}

  /**
   * Why the driver's first calls failed and what to do about it.
   *
   * @param call the call that failed
   * @param status what it returned, not {@code SUCCESS}
   * @param visibleDevices the variable {@code CUDA_VISIBLE_DEVICES}, null where it is not set
   * @return one paragraph that starts in lower case
   */
  static String explain(String call, int status, @Nullable String visibleDevices) {
    return switch (status) {
          case CudaError.NO_DEVICE, CudaError.INVALID_DEVICE -> noDevice(visibleDevices);
          case STUB_LIBRARY ->
              "the libcuda.so.1 that was loaded is the CUDA toolkit's stub, which is for linking"
                  + " only. Take the toolkit's folder lib64/stubs off LD_LIBRARY_PATH, and install"
                  + " the NVIDIA driver where there is none.";
          case CudaError.SYSTEM_DRIVER_MISMATCH ->
              "the NVIDIA driver's library and its kernel module are of different versions. Reboot"
                  + " or reload the kernel module after an update of the driver; in a container,"
                  + " take its own libcuda or CUDA compatibility package off LD_LIBRARY_PATH.";
          case CudaError.COMPAT_NOT_SUPPORTED_ON_DEVICE ->
              "a CUDA compatibility package is loaded, and this GPU does not support it. Take it"
                  + " off LD_LIBRARY_PATH and install an NVIDIA driver, "
                  + DriverVersion.MINIMUM_TEXT
                  + " or newer.";
          case SYSTEM_NOT_READY ->
              "the system's NVLink switches are not set up yet. Start the service"
                  + " nvidia-fabricmanager, of the same version as the driver.";
          case CudaError.OPERATING_SYSTEM, CudaError.NOT_PERMITTED, CudaError.UNKNOWN ->
              "the NVIDIA driver did not start. Most often its kernel modules are not loaded or"
                  + " this process may not open /dev/nvidia*: see whether nvidia-smi works, run"
                  + " nvidia-modprobe -u -c=0, and start a container with access to the GPUs.";
          case CudaError.MPS_CONNECTION_FAILED ->
              "the Multi-Process Service does not answer. Start nvidia-cuda-mps-control, or unset"
                  + " CUDA_MPS_PIPE_DIRECTORY.";
          default -> "the NVIDIA driver did not start. See whether nvidia-smi works.";
        }
        + " "
        + call
        + " returned "
        + status
        + " ("
        + CudaError.name(status)
        + ").";
  }

  private static String noDevice(@Nullable String visibleDevices) {
    return "the NVIDIA driver shows this process no GPU. "
        + (visibleDevices == null
            ? "See whether nvidia-smi -L lists one; start a container with access to the GPUs."
            : "The variable CUDA_VISIBLE_DEVICES is \""
                + visibleDevices
                + "\": unset it, or name GPUs that nvidia-smi -L lists.");
  }
}
