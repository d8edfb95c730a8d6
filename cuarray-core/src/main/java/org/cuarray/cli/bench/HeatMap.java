package org.cuarray.cli.bench;

import com.google.common.collect.Lists;
import java.awt.Color;
import java.awt.Font;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.knowm.xchart.HeatMapChart;
import org.knowm.xchart.HeatMapChartBuilder;

/** One work from each device to each, with its figure in each cell. */
final class HeatMap {
  private static final Color LOW = new Color(0xF2F7FC);
  private static final Color HIGH = new Color(0x7FB3E0);
  private static final int VALUE_SIZE = 18;

  private HeatMap() {}

  /** Empty where the report has no figures. */
  static Optional<HeatMapChart> of(Report report, String work, String title) {
    List<Figure> cells =
        report.measurements().stream()
            .filter(figure -> figure.isOurs() && figure.work().equals(work))
            .toList();
    if (cells.isEmpty()) {
      return Optional.empty();
    }
    HeatMapChart chart =
        new HeatMapChartBuilder()
            .width(Charts.WIDTH)
            .height(Charts.HEIGHT)
            .title(
                "%s, %s, GB/s%s"
                    .formatted(title, ByteText.of(cells.get(0).bytes()), Charts.caveat(report)))
            .xAxisTitle("to")
            .yAxisTitle("from")
            .build();
    style(chart, cells);
    List<String> names =
        report.machine().devices().stream().map(device -> "cuda:" + device.ordinal()).toList();
    // The first row is the lowest, and the first device belongs on top.
    int top = names.size() - 1;
    chart.addSeries(
        "GB/s", names, Lists.reverse(names), cells.stream().map(cell -> cell(cell, top)).toList());
    return Optional.of(chart);
  }

  private static void style(HeatMapChart chart, List<Figure> cells) {
    Charts.style(chart);
    chart.getStyler().setLegendVisible(false);
    chart.getStyler().setShowValue(true);
    chart.getStyler().setHeatMapValueDecimalPattern("#.###");
    chart.getStyler().setValueFont(new Font(Font.SANS_SERIF, Font.BOLD, VALUE_SIZE));
    chart.getStyler().setRangeColors(new Color[] {LOW, HIGH});
    chart.getStyler().setMin(0);
    chart.getStyler().setMax(cells.stream().mapToDouble(HeatMap::shown).max().orElseThrow());
    chart.getStyler().setPlotContentSize(1);
  }

  private static Number[] cell(Figure figure, int top) {
    int from = Objects.requireNonNull(figure.from());
    int to = Objects.requireNonNull(figure.to());
    return new Number[] {to, top - from, shown(figure)};
  }

  private static double shown(Figure figure) {
    return Double.parseDouble(ValueText.of(figure.value().median()));
  }
}
