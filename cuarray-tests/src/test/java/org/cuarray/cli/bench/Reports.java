package org.cuarray.cli.bench;

import java.util.List;

/** Reports for tests, made up. */
final class Reports {
  private Reports() {}

  static Figure figure(Row row, String work, String who, Unit unit, double median) {
    return new Figure(row.rowName(), work, who, 0, 1, 1 << 20, unit.symbol(), Summary.of(median));
  }

  static Figure between(int from, int to, String work, String who, long bytes, double median) {
    return new Figure(Row.CURVE.rowName(), work, who, from, to, bytes, "GB/s", Summary.of(median));
  }

  static Report of(List<Figure> figures) {
    return new Report(
        Report.SCHEMA,
        "2026-12-01T00:00:00Z",
        1.5,
        "quick",
        new MachineInfo(
            "cuda",
            "13.0",
            "Some VM <17>",
            "Linux",
            8,
            1L << 34,
            List.of(
                new MachineInfo.Device(0, "GPU A", "GPU-0", 1L << 37),
                new MachineInfo.Device(1, "GPU B", "GPU-1", 1L << 37))),
        List.of(new Report.Link(0, 1, "PEER", "proved")),
        figures,
        List.of(new Skipped("host", "upload", "no room")),
        Target.results(figures));
  }
}
