package org.cuarray.driver.simulated;

import static org.cuarray.driver.CudaError.INVALID_DEVICE;
import static org.cuarray.driver.CudaError.INVALID_VALUE;
import static org.cuarray.driver.CudaError.SUCCESS;

import java.nio.charset.StandardCharsets;
import org.cuarray.driver.DeviceAttribute;

/** What the devices tell about themselves: an H200's figures under a name that says "simulated". */
final class Devices {
  /** CUDA 13.0, as the driver whose answers are simulated. */
  private static final int DRIVER_VERSION = 13000;

  private static final int UUID_BYTES = 16;
  private static final int LAST_ATTRIBUTE = 150;

  private final Machine machine;

  Devices(Machine machine) {
    this.machine = machine;
  }

  int driverVersion(int[] version) {
    version[0] = DRIVER_VERSION;
    return SUCCESS;
  }

  int count(int[] count) {
    count[0] = machine.deviceCount();
    return SUCCESS;
  }

  int get(int[] device, int ordinal) {
    if (machine.device(ordinal) == null) {
      return INVALID_DEVICE;
    }
    device[0] = ordinal;
    return SUCCESS;
  }

  int name(byte[] name, int ordinal) {
    if (machine.device(ordinal) == null) {
      return INVALID_DEVICE;
    }
    if (name.length == 0) {
      return INVALID_VALUE;
    }
    byte[] ascii = machine.spec.preset().deviceName(ordinal).getBytes(StandardCharsets.US_ASCII);
    int length = Math.min(ascii.length, name.length - 1);
    System.arraycopy(ascii, 0, name, 0, length);
    name[length] = 0;
    return SUCCESS;
  }

  /** "SIMULATED" and the ordinal, so that nobody takes it for a real GPU's. */
  int uuid(byte[] uuid, int ordinal) {
    if (machine.device(ordinal) == null) {
      return INVALID_DEVICE;
    }
    byte[] text = "SIMULATED GPU   ".getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(text, 0, uuid, 0, UUID_BYTES);
    uuid[UUID_BYTES - 1] = (byte) ordinal;
    return SUCCESS;
  }

  int totalMemory(long[] bytes, int ordinal) {
    Device device = machine.device(ordinal);
    if (device == null) {
      return INVALID_DEVICE;
    }
    bytes[0] = device.memory;
    return SUCCESS;
  }

  int attribute(int[] value, int attribute, int ordinal) {
    if (machine.device(ordinal) == null) {
      return INVALID_DEVICE;
    }
    if (attribute <= 0 || attribute > LAST_ATTRIBUTE) {
      return INVALID_VALUE;
    }
    value[0] = attribute(attribute, ordinal);
    return SUCCESS;
  }

  private int attribute(int attribute, int ordinal) {
    return switch (attribute) {
      case DeviceAttribute.MAX_THREADS_PER_BLOCK,
          DeviceAttribute.MAX_BLOCK_DIM_X,
          DeviceAttribute.MAX_BLOCK_DIM_Y ->
          1024;
      case DeviceAttribute.MAX_BLOCK_DIM_Z -> 64;
      case DeviceAttribute.MAX_GRID_DIM_X -> Integer.MAX_VALUE;
      case DeviceAttribute.MAX_GRID_DIM_Y, DeviceAttribute.MAX_GRID_DIM_Z -> 65_535;
      case DeviceAttribute.MAX_SHARED_MEMORY_PER_BLOCK -> 49_152;
      case DeviceAttribute.MAX_SHARED_MEMORY_PER_BLOCK_OPTIN -> 232_448;
      case DeviceAttribute.MULTIPROCESSOR_COUNT -> machine.spec.preset() == Preset.MIG ? 16 : 132;
      case DeviceAttribute.PCI_BUS_ID -> 1 + ordinal;
      case DeviceAttribute.ASYNC_ENGINE_COUNT -> 3;
      case DeviceAttribute.COMPUTE_CAPABILITY_MAJOR -> 9;
      case DeviceAttribute.UNIFIED_ADDRESSING,
          DeviceAttribute.STREAM_PRIORITIES_SUPPORTED,
          DeviceAttribute.CONCURRENT_MANAGED_ACCESS ->
          1;
      case DeviceAttribute.MEMORY_POOLS_SUPPORTED -> machine.spec.preset().hasPools() ? 1 : 0;
      default -> 0;
    };
  }
}
