package org.cuarray.cli;

import java.io.PrintWriter;
import java.util.List;
import org.cuarray.CuDevice;
import org.cuarray.cli.Table.Column;

/** The table of devices. Uses none of them. */
final class DeviceList {
  private DeviceList() {}

  static void print(Machine machine, PrintWriter out) {
    List<CuDevice> devices = machine.cuda().devices();
    out.printf("%s, %s%n%n", machine.driver(), machine.size());
    Table table =
        new Table(
            out,
            Column.of("device", machine.deviceNames()),
            Column.of("name", devices.stream().map(CuDevice::name).toArray(String[]::new)),
            Column.of("uuid", devices.get(0).uuid()),
            Column.ofNumbers("memory", "9999.9 GiB"),
            Column.of("pools"));
    table.header();
    for (CuDevice device : devices) {
      table.row(
          device.toString(),
          device.name(),
          device.uuid(),
          new ByteSize(device.totalMemory()).toString(),
          Side.hasPools(device) ? "yes" : "no");
    }
  }
}
