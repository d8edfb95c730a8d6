package org.cuarray.driver;

import com.google.common.collect.ImmutableMap;

/**
 * The driver's status codes, by the names that {@code cuda.h} gives them.
 *
 * @see <a href="https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TYPES.html">CUresult</a>
 */
public final class CudaError {
  /** CUDA_SUCCESS. */
  public static final int SUCCESS = 0;

  /** CUDA_ERROR_INVALID_VALUE. */
  public static final int INVALID_VALUE = 1;

  /** CUDA_ERROR_OUT_OF_MEMORY. */
  public static final int OUT_OF_MEMORY = 2;

  /** CUDA_ERROR_NOT_INITIALIZED. */
  public static final int NOT_INITIALIZED = 3;

  /** CUDA_ERROR_DEINITIALIZED. */
  public static final int DEINITIALIZED = 4;

  /** CUDA_ERROR_DEVICE_UNAVAILABLE. */
  public static final int DEVICE_UNAVAILABLE = 46;

  /** CUDA_ERROR_NO_DEVICE. */
  public static final int NO_DEVICE = 100;

  /** CUDA_ERROR_INVALID_DEVICE. */
  public static final int INVALID_DEVICE = 101;

  /** CUDA_ERROR_INVALID_IMAGE. */
  public static final int INVALID_IMAGE = 200;

  /** CUDA_ERROR_INVALID_CONTEXT. */
  public static final int INVALID_CONTEXT = 201;

  /** CUDA_ERROR_NO_BINARY_FOR_GPU. */
  public static final int NO_BINARY_FOR_GPU = 209;

  /** CUDA_ERROR_ECC_UNCORRECTABLE. */
  public static final int ECC_UNCORRECTABLE = 214;

  /** CUDA_ERROR_PEER_ACCESS_UNSUPPORTED. */
  public static final int PEER_ACCESS_UNSUPPORTED = 217;

  /** CUDA_ERROR_INVALID_PTX. */
  public static final int INVALID_PTX = 218;

  /** CUDA_ERROR_NVLINK_UNCORRECTABLE. */
  public static final int NVLINK_UNCORRECTABLE = 220;

  /** CUDA_ERROR_UNSUPPORTED_PTX_VERSION. */
  public static final int UNSUPPORTED_PTX_VERSION = 222;

  /** CUDA_ERROR_CONTAINED. */
  public static final int CONTAINED = 226;

  /** CUDA_ERROR_OPERATING_SYSTEM. */
  public static final int OPERATING_SYSTEM = 304;

  /** CUDA_ERROR_INVALID_HANDLE. */
  public static final int INVALID_HANDLE = 400;

  /** CUDA_ERROR_NOT_FOUND. */
  public static final int NOT_FOUND = 500;

  /** CUDA_ERROR_NOT_READY. */
  public static final int NOT_READY = 600;

  /** CUDA_ERROR_ILLEGAL_ADDRESS. */
  public static final int ILLEGAL_ADDRESS = 700;

  /** CUDA_ERROR_LAUNCH_TIMEOUT. */
  public static final int LAUNCH_TIMEOUT = 702;

  /** CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED. */
  public static final int PEER_ACCESS_ALREADY_ENABLED = 704;

  /** CUDA_ERROR_PEER_ACCESS_NOT_ENABLED. */
  public static final int PEER_ACCESS_NOT_ENABLED = 705;

  /** CUDA_ERROR_CONTEXT_IS_DESTROYED. */
  public static final int CONTEXT_IS_DESTROYED = 709;

  /** CUDA_ERROR_ASSERT. */
  public static final int ASSERT = 710;

  /** CUDA_ERROR_TOO_MANY_PEERS. */
  public static final int TOO_MANY_PEERS = 711;

  /** CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED. */
  public static final int HOST_MEMORY_ALREADY_REGISTERED = 712;

  /** CUDA_ERROR_HARDWARE_STACK_ERROR. */
  public static final int HARDWARE_STACK_ERROR = 714;

  /** CUDA_ERROR_ILLEGAL_INSTRUCTION. */
  public static final int ILLEGAL_INSTRUCTION = 715;

  /** CUDA_ERROR_MISALIGNED_ADDRESS. */
  public static final int MISALIGNED_ADDRESS = 716;

  /** CUDA_ERROR_INVALID_ADDRESS_SPACE. */
  public static final int INVALID_ADDRESS_SPACE = 717;

  /** CUDA_ERROR_INVALID_PC. */
  public static final int INVALID_PC = 718;

  /** CUDA_ERROR_LAUNCH_FAILED. */
  public static final int LAUNCH_FAILED = 719;

  /** CUDA_ERROR_NOT_PERMITTED. */
  public static final int NOT_PERMITTED = 800;

  /** CUDA_ERROR_NOT_SUPPORTED. */
  public static final int NOT_SUPPORTED = 801;

  /** CUDA_ERROR_SYSTEM_DRIVER_MISMATCH. */
  public static final int SYSTEM_DRIVER_MISMATCH = 803;

  /** CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE. */
  public static final int COMPAT_NOT_SUPPORTED_ON_DEVICE = 804;

  /** CUDA_ERROR_MPS_CONNECTION_FAILED. */
  public static final int MPS_CONNECTION_FAILED = 805;

  /** CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED. */
  public static final int STREAM_CAPTURE_UNSUPPORTED = 900;

  /** CUDA_ERROR_STREAM_CAPTURE_IMPLICIT. */
  public static final int STREAM_CAPTURE_IMPLICIT = 906;

  /** CUDA_ERROR_EXTERNAL_DEVICE. */
  public static final int EXTERNAL_DEVICE = 911;

  /** CUDA_ERROR_UNKNOWN. */
  public static final int UNKNOWN = 999;

  private static final ImmutableMap<Integer, String> NAMES =
      ImmutableMap.<Integer, String>builder()
          .put(0, "SUCCESS")
          .put(1, "INVALID_VALUE")
          .put(2, "OUT_OF_MEMORY")
          .put(3, "NOT_INITIALIZED")
          .put(4, "DEINITIALIZED")
          .put(5, "PROFILER_DISABLED")
          .put(6, "PROFILER_NOT_INITIALIZED")
          .put(7, "PROFILER_ALREADY_STARTED")
          .put(8, "PROFILER_ALREADY_STOPPED")
          .put(34, "STUB_LIBRARY")
          .put(36, "CALL_REQUIRES_NEWER_DRIVER")
          .put(46, "DEVICE_UNAVAILABLE")
          .put(100, "NO_DEVICE")
          .put(101, "INVALID_DEVICE")
          .put(102, "DEVICE_NOT_LICENSED")
          .put(200, "INVALID_IMAGE")
          .put(201, "INVALID_CONTEXT")
          .put(202, "CONTEXT_ALREADY_CURRENT")
          .put(205, "MAP_FAILED")
          .put(206, "UNMAP_FAILED")
          .put(207, "ARRAY_IS_MAPPED")
          .put(208, "ALREADY_MAPPED")
          .put(209, "NO_BINARY_FOR_GPU")
          .put(210, "ALREADY_ACQUIRED")
          .put(211, "NOT_MAPPED")
          .put(212, "NOT_MAPPED_AS_ARRAY")
          .put(213, "NOT_MAPPED_AS_POINTER")
          .put(214, "ECC_UNCORRECTABLE")
          .put(215, "UNSUPPORTED_LIMIT")
          .put(216, "CONTEXT_ALREADY_IN_USE")
          .put(217, "PEER_ACCESS_UNSUPPORTED")
          .put(218, "INVALID_PTX")
          .put(219, "INVALID_GRAPHICS_CONTEXT")
          .put(220, "NVLINK_UNCORRECTABLE")
          .put(221, "JIT_COMPILER_NOT_FOUND")
          .put(222, "UNSUPPORTED_PTX_VERSION")
          .put(223, "JIT_COMPILATION_DISABLED")
          .put(224, "UNSUPPORTED_EXEC_AFFINITY")
          .put(225, "UNSUPPORTED_DEVSIDE_SYNC")
          .put(226, "CONTAINED")
          .put(300, "INVALID_SOURCE")
          .put(301, "FILE_NOT_FOUND")
          .put(302, "SHARED_OBJECT_SYMBOL_NOT_FOUND")
          .put(303, "SHARED_OBJECT_INIT_FAILED")
          .put(304, "OPERATING_SYSTEM")
          .put(400, "INVALID_HANDLE")
          .put(401, "ILLEGAL_STATE")
          .put(402, "LOSSY_QUERY")
          .put(500, "NOT_FOUND")
          .put(600, "NOT_READY")
          .put(700, "ILLEGAL_ADDRESS")
          .put(701, "LAUNCH_OUT_OF_RESOURCES")
          .put(702, "LAUNCH_TIMEOUT")
          .put(703, "LAUNCH_INCOMPATIBLE_TEXTURING")
          .put(704, "PEER_ACCESS_ALREADY_ENABLED")
          .put(705, "PEER_ACCESS_NOT_ENABLED")
          .put(708, "PRIMARY_CONTEXT_ACTIVE")
          .put(709, "CONTEXT_IS_DESTROYED")
          .put(710, "ASSERT")
          .put(711, "TOO_MANY_PEERS")
          .put(712, "HOST_MEMORY_ALREADY_REGISTERED")
          .put(713, "HOST_MEMORY_NOT_REGISTERED")
          .put(714, "HARDWARE_STACK_ERROR")
          .put(715, "ILLEGAL_INSTRUCTION")
          .put(716, "MISALIGNED_ADDRESS")
          .put(717, "INVALID_ADDRESS_SPACE")
          .put(718, "INVALID_PC")
          .put(719, "LAUNCH_FAILED")
          .put(720, "COOPERATIVE_LAUNCH_TOO_LARGE")
          .put(721, "TENSOR_MEMORY_LEAK")
          .put(800, "NOT_PERMITTED")
          .put(801, "NOT_SUPPORTED")
          .put(802, "SYSTEM_NOT_READY")
          .put(803, "SYSTEM_DRIVER_MISMATCH")
          .put(804, "COMPAT_NOT_SUPPORTED_ON_DEVICE")
          .put(805, "MPS_CONNECTION_FAILED")
          .put(806, "MPS_RPC_FAILURE")
          .put(807, "MPS_SERVER_NOT_READY")
          .put(808, "MPS_MAX_CLIENTS_REACHED")
          .put(809, "MPS_MAX_CONNECTIONS_REACHED")
          .put(810, "MPS_CLIENT_TERMINATED")
          .put(811, "CDP_NOT_SUPPORTED")
          .put(812, "CDP_VERSION_MISMATCH")
          .put(900, "STREAM_CAPTURE_UNSUPPORTED")
          .put(901, "STREAM_CAPTURE_INVALIDATED")
          .put(902, "STREAM_CAPTURE_MERGE")
          .put(903, "STREAM_CAPTURE_UNMATCHED")
          .put(904, "STREAM_CAPTURE_UNJOINED")
          .put(905, "STREAM_CAPTURE_ISOLATION")
          .put(906, "STREAM_CAPTURE_IMPLICIT")
          .put(907, "CAPTURED_EVENT")
          .put(908, "STREAM_CAPTURE_WRONG_THREAD")
          .put(909, "TIMEOUT")
          .put(910, "GRAPH_EXEC_UPDATE_FAILURE")
          .put(911, "EXTERNAL_DEVICE")
          .put(912, "INVALID_CLUSTER_SIZE")
          .put(913, "FUNCTION_NOT_LOADED")
          .put(914, "INVALID_RESOURCE_TYPE")
          .put(915, "INVALID_RESOURCE_CONFIGURATION")
          .put(916, "KEY_ROTATION")
          .put(999, "UNKNOWN")
          .build();

  private CudaError() {}

  /**
   * The name in {@code cuda.h}, such as {@code CUDA_ERROR_OUT_OF_MEMORY}.
   *
   * @param code a status code
   * @return its name; {@code "CUDA_ERROR code 12345"} for one this table does not know
   */
  public static String name(int code) {
    if (code == SUCCESS) {
      return "CUDA_SUCCESS";
    }
    String name = NAMES.get(code);
    return name == null ? "CUDA_ERROR code " + code : "CUDA_ERROR_" + name;
  }

  /**
   * Whether the code says that the device or its context is beyond use in this process: every later
   * call on it gives the same code.
   *
   * @param code a status code
   * @return true for the sticky errors of CUDA
   */
  public static boolean isSticky(int code) {
    return switch (code) {
      case ECC_UNCORRECTABLE,
          NVLINK_UNCORRECTABLE,
          ILLEGAL_ADDRESS,
          LAUNCH_TIMEOUT,
          CONTEXT_IS_DESTROYED,
          ASSERT,
          HARDWARE_STACK_ERROR,
          ILLEGAL_INSTRUCTION,
          MISALIGNED_ADDRESS,
          INVALID_ADDRESS_SPACE,
          INVALID_PC,
          LAUNCH_FAILED,
          EXTERNAL_DEVICE,
          CONTAINED,
          DEVICE_UNAVAILABLE ->
          true;
      default -> false;
    };
  }
}
