package org.cuarray.tests.multidevice;

import java.util.ArrayList;
import java.util.List;
import org.cuarray.CuDevice;

/**
 * Where a copy comes from and where it goes.
 *
 * @param from the device of the source
 * @param to the device of the destination, the same one included
 */
public record DevicePair(CuDevice from, CuDevice to) {

  /**
   * Whether a copy has to leave its device.
   *
   * @return true for two different devices
   */
  public boolean crosses() {
    return !from.equals(to);
  }

  /**
   * Every ordered pair.
   *
   * @param devices of one runtime
   * @return devices with themselves included
   */
  public static List<DevicePair> all(List<CuDevice> devices) {
    List<DevicePair> pairs = new ArrayList<>();
    for (CuDevice from : devices) {
      for (CuDevice to : devices) {
        pairs.add(new DevicePair(from, to));
      }
    }
    return pairs;
  }

  /**
   * Every ordered pair of different devices.
   *
   * @param devices of one runtime
   * @return n × (n - 1) pairs
   */
  public static List<DevicePair> crossing(List<CuDevice> devices) {
    return all(devices).stream().filter(DevicePair::crosses).toList();
  }

  /**
   * Every ordered pair of different devices; a single device with itself.
   *
   * @param devices of one runtime
   * @return one pair or more
   */
  public static List<DevicePair> farthest(List<CuDevice> devices) {
    return devices.size() == 1 ? all(devices) : crossing(devices);
  }

  @Override
  public String toString() {
    return from + " → " + to;
  }
}
