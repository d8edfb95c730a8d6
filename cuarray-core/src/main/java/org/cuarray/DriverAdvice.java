package org.cuarray;

import com.google.common.collect.ImmutableMap;
import org.cuarray.driver.CudaError;

/** What a status code of the driver usually means in this library, and what to try. */
final class DriverAdvice {
  private static final DriverAdvice DEFAULT =
      new DriverAdvice(
          "The driver gives no more than that.",
          "look the code up under CUresult in NVIDIA's driver API reference");

  private static final DriverAdvice BAD_KERNEL =
      new DriverAdvice(
          "A kernel went wrong, and its context is beyond use until the process ends.",
          "restart, and run the kernel under compute-sanitizer");

  private static final DriverAdvice BAD_HARDWARE =
      new DriverAdvice(
          "The hardware reported an error that it could not correct;"
              + " data on the device may be damaged.",
          "look into nvidia-smi -q and the kernel log (Xid messages); reset the device");

  private static final DriverAdvice BAD_MODULE =
      new DriverAdvice(
          "The module's code is not for this device and driver.",
          "compile PTX for an older target or for this device's compute capability,"
              + " or install a newer driver");

  private static final DriverAdvice CAPTURE =
      new DriverAdvice(
          "A stream was being captured into a graph; arrays take no part in captures.",
          "end the capture before using arrays on that stream or thread");

  private static final DriverAdvice INSTALLATION =
      new DriverAdvice(
          "The kernel module and the user-mode driver library do not fit together.",
          "reboot after a driver update; take a stale libcuda.so or CUDA compatibility"
              + " package off the loader's path");

  private static final DriverAdvice MPS =
      new DriverAdvice(
          "The Multi-Process Service did not answer or has no room.",
          "look into the log of nvidia-cuda-mps-control, or unset CUDA_MPS_PIPE_DIRECTORY");

  private static final DriverAdvice NO_DEVICE =
      new DriverAdvice(
          "The driver shows this process no such device.",
          "compare nvidia-smi -L with the variable CUDA_VISIBLE_DEVICES");

  private static final ImmutableMap<Integer, DriverAdvice> TABLE =
      ImmutableMap.<Integer, DriverAdvice>builder()
          .put(
              CudaError.INVALID_VALUE,
              new DriverAdvice(
                  "A pointer is unknown to the driver, already freed, or too short for the size.",
                  "check that wrapped memory is still allocated, and that a pool of your own is"
                      + " granted to the device that reaches into it"))
          .put(
              CudaError.OUT_OF_MEMORY,
              new DriverAdvice(
                  "The device, or the host for pinned memory, has no block of that size left.",
                  "close arrays, make smaller ones, or end other processes that nvidia-smi lists"))
          .put(
              CudaError.NOT_INITIALIZED,
              new DriverAdvice(
                  "The driver was called before cuInit.",
                  "call CuRuntime.open() before anything else"))
          .put(
              CudaError.DEINITIALIZED,
              new DriverAdvice(
                  "The JVM is shutting down, and no call enters the driver any more.",
                  "finish work on devices before the exit, not in a shutdown hook"))
          .put(
              CudaError.DEVICE_UNAVAILABLE,
              new DriverAdvice(
                  "Another process holds the device, or it is in a mode that admits no more.",
                  "look into nvidia-smi -q -d COMPUTE and the processes that nvidia-smi lists"))
          .put(CudaError.NO_DEVICE, NO_DEVICE)
          .put(CudaError.INVALID_DEVICE, NO_DEVICE)
          .put(CudaError.INVALID_IMAGE, BAD_MODULE)
          .put(CudaError.NO_BINARY_FOR_GPU, BAD_MODULE)
          .put(CudaError.INVALID_PTX, BAD_MODULE)
          .put(CudaError.UNSUPPORTED_PTX_VERSION, BAD_MODULE)
          .put(
              CudaError.INVALID_CONTEXT,
              new DriverAdvice(
                  "No context is current where one is needed, or it has been destroyed.",
                  "find other code of this process that resets the device or destroys its context"))
          .put(
              CudaError.CONTEXT_IS_DESTROYED,
              new DriverAdvice(
                  "The context was destroyed, and the memory in it is gone.",
                  "find other code of this process that resets the device or destroys its context"))
          .put(
              CudaError.INVALID_HANDLE,
              new DriverAdvice(
                  "A stream, event, pool or module is destroyed, or belongs to another context.",
                  "check that a wrapped stream is still alive and was made on that device"))
          .put(
              CudaError.NOT_FOUND,
              new DriverAdvice(
                  "The driver knows no such name, or no such allocation on that device.",
                  "check the spelling; declare kernels extern \"C\" in C++"))
          .put(
              CudaError.ILLEGAL_ADDRESS,
              new DriverAdvice(
                  "A kernel or a copy touched memory that its device cannot reach;"
                      + " the context is beyond use until the process ends.",
                  "restart, and run the program under compute-sanitizer"))
          .put(CudaError.LAUNCH_TIMEOUT, BAD_KERNEL)
          .put(CudaError.ASSERT, BAD_KERNEL)
          .put(CudaError.HARDWARE_STACK_ERROR, BAD_KERNEL)
          .put(CudaError.ILLEGAL_INSTRUCTION, BAD_KERNEL)
          .put(CudaError.MISALIGNED_ADDRESS, BAD_KERNEL)
          .put(CudaError.INVALID_ADDRESS_SPACE, BAD_KERNEL)
          .put(CudaError.INVALID_PC, BAD_KERNEL)
          .put(CudaError.LAUNCH_FAILED, BAD_KERNEL)
          .put(CudaError.ECC_UNCORRECTABLE, BAD_HARDWARE)
          .put(CudaError.NVLINK_UNCORRECTABLE, BAD_HARDWARE)
          .put(CudaError.CONTAINED, BAD_HARDWARE)
          .put(CudaError.EXTERNAL_DEVICE, BAD_HARDWARE)
          .put(
              CudaError.PEER_ACCESS_UNSUPPORTED,
              new DriverAdvice(
                  "The two devices cannot reach each other's memory.",
                  "look into nvidia-smi topo -p2p r; copies are staged through the host meanwhile"))
          .put(
              CudaError.PEER_ACCESS_NOT_ENABLED,
              new DriverAdvice(
                  "Peer access was not enabled, or other code of this process disabled it.",
                  "leave cuCtxDisablePeerAccess to whoever enabled the access"))
          .put(
              CudaError.TOO_MANY_PEERS,
              new DriverAdvice(
                  "The device has no slot left for another peer; a PCIe machine has eight a"
                      + " device.",
                  "use fewer devices a process (CUDA_VISIBLE_DEVICES); copies are staged"
                      + " meanwhile"))
          .put(
              CudaError.OPERATING_SYSTEM,
              new DriverAdvice(
                  "The operating system refused the driver something.",
                  "raise ulimit -l and ulimit -n or the container's limits; read the kernel log"))
          .put(
              CudaError.NOT_PERMITTED,
              new DriverAdvice(
                  "The driver forbids the call in this state, such as during a stream capture.",
                  "make the call outside captures and callbacks of the driver"))
          .put(
              CudaError.NOT_SUPPORTED,
              new DriverAdvice(
                  "This device, driver or virtual machine cannot do that (MIG, vGPU, no pools).",
                  "use AllocatorKind.CLASSIC; look into nvidia-smi -q for MIG and virtualisation"))
          .put(CudaError.SYSTEM_DRIVER_MISMATCH, INSTALLATION)
          .put(CudaError.COMPAT_NOT_SUPPORTED_ON_DEVICE, INSTALLATION)
          .put(CudaError.MPS_CONNECTION_FAILED, MPS)
          .put(CudaError.STREAM_CAPTURE_UNSUPPORTED, CAPTURE)
          .put(CudaError.STREAM_CAPTURE_IMPLICIT, CAPTURE)
          .buildOrThrow();

  private final String meaning;
  private final String remedy;

  private DriverAdvice(String meaning, String remedy) {
    this.meaning = meaning;
    this.remedy = remedy;
  }

  static DriverAdvice of(int code) {
    return TABLE.getOrDefault(code, DEFAULT);
  }

  /** "What it means. Try: what to try." */
  @Override
  public String toString() {
    return meaning + " Try: " + remedy + ".";
  }
}
