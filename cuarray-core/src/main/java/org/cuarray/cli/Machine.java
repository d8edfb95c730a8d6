package org.cuarray.cli;

import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;

/**
 * What a command runs on.
 *
 * @param cuda its devices
 * @param driver the driver's name for itself
 */
record Machine(CuRuntime cuda, String driver) implements AutoCloseable {
  boolean isSimulated() {
    return driver.startsWith(Drivers.SIMULATED);
  }

  /** Such as {@code "4 devices"}. */
  String size() {
    int devices = cuda.devices().size();
    return devices == 1 ? "1 device" : devices + " devices";
  }

  String[] deviceNames() {
    return cuda.devices().stream().map(CuDevice::toString).toArray(String[]::new);
  }

  @Override
  public void close() {
    cuda.close();
  }
}
