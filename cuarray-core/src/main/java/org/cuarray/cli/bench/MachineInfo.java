package org.cuarray.cli.bench;

import java.util.List;
import org.cuarray.CuRuntime;
import org.cuarray.driver.CudaDriver;

/**
 * What a run ran on.
 *
 * @param driver the driver's name for itself, such as {@code cuda} or {@code simulated:nvlink}
 * @param cudaVersion the newest CUDA that the driver knows, such as {@code 13.0}
 * @param java version and name of the JVM
 * @param system name, version and architecture of the operating system
 * @param processors that the JVM may use
 * @param heapBytes that the Java heap may grow to
 * @param devices by ordinal
 */
public record MachineInfo(
    String driver,
    String cudaVersion,
    String java,
    String system,
    int processors,
    long heapBytes,
    List<Device> devices) {

  /**
   * One device.
   *
   * @param ordinal the driver's number
   * @param name the driver's name
   * @param uuid its identity
   * @param bytes of its memory
   */
  public record Device(int ordinal, String name, String uuid, long bytes) {}

  static MachineInfo of(CuRuntime cuda, CudaDriver driver) {
    return new MachineInfo(
        driver.description(),
        cudaVersion(driver),
        System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
        "%s %s %s"
            .formatted(
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                System.getProperty("os.arch")),
        Runtime.getRuntime().availableProcessors(),
        Runtime.getRuntime().maxMemory(),
        cuda.devices().stream()
            .map(
                device ->
                    new Device(
                        device.ordinal(), device.name(), device.uuid(), device.totalMemory()))
            .toList());
  }

  private static String cudaVersion(CudaDriver driver) {
    int[] version = new int[1];
    RawDriver.check(driver.driverGetVersion(version), "cuDriverGetVersion", -1);
    return version[0] / 1000 + "." + version[0] % 1000 / 10;
  }

  /**
   * Whether bandwidths mean anything.
   *
   * @return false on a machine in the memory of the JVM
   */
  public boolean isSimulated() {
    return driver.startsWith("simulated:");
  }
}
