package org.cuarray.cli.bench;

import java.awt.Color;
import java.util.List;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Bandwidth over size between two devices, both on logarithmic axes. */
final class CurveChart {
  private static final Color PEER = new Color(0x2F7ED8);
  private static final Color PEER_BOTH = new Color(0x163C68);
  private static final Color STAGED = new Color(0xE8893A);
  private static final Color STAGED_BOTH = new Color(0x9C4A0C);
  private static final Color BASELINE = new Color(0x9A9A9A);
  private static final double LOG_2 = Math.log(2);

  private final Report report;
  private final Pair pair;
  private final XYChart chart;

  private CurveChart(Report report, Pair pair) {
    this.report = report;
    this.pair = pair;
    this.chart =
        new XYChartBuilder()
            .width(Charts.WIDTH)
            .height(Charts.HEIGHT)
            .title(
                "Copies from cuda:%d to cuda:%d%s"
                    .formatted(pair.from(), pair.to(), Charts.caveat(report)))
            .xAxisTitle("bytes of one copy")
            .yAxisTitle("GB/s")
            .build();
  }

  /** Without series where the report has no figures. */
  static XYChart of(Report report, Pair pair) {
    CurveChart curve = new CurveChart(report, pair);
    curve.style();
    curve.add(CurveWork.PEER, SubmitWork.RAW_COPY, "raw driver call", BASELINE);
    curve.add(CurveWork.PEER, Figure.CUARRAY, "peer", PEER);
    curve.add(CurveWork.PEER_BOTH, Figure.CUARRAY, "peer, both ways at once", PEER_BOTH);
    curve.add(CurveWork.STAGED, Figure.CUARRAY, "host-staged", STAGED);
    curve.add(CurveWork.STAGED_BOTH, Figure.CUARRAY, "host-staged, both ways at once", STAGED_BOTH);
    return curve.chart;
  }

  /** The library's logarithmic axis knows decades alone, and sizes go by powers of two. */
  private void style() {
    Charts.style(chart);
    chart.getStyler().setLegendPosition(LegendPosition.InsideNW);
    chart.getStyler().setMarkerSize(6);
    chart.getStyler().setYAxisTickMarkSpacingHint(70);
    chart
        .getStyler()
        .setxAxisTickLabelsFormattingFunction(x -> ByteText.ofAbout(Math.rint(Math.pow(2, x))));
    chart.getStyler().setyAxisTickLabelsFormattingFunction(y -> ValueText.of(Math.pow(10, y)));
  }

  private void add(String work, String who, String name, Color colour) {
    List<Figure> points =
        report.measurements().stream()
            .filter(figure -> figure.isBetween(pair.from(), pair.to()))
            .filter(figure -> figure.work().equals(work) && figure.who().equals(who))
            .toList();
    if (points.isEmpty()) {
      return;
    }
    XYSeries series =
        chart.addSeries(
            name,
            points.stream()
                .mapToDouble(point -> Math.log((double) point.bytes()) / LOG_2)
                .toArray(),
            points.stream().mapToDouble(point -> Math.log10(point.value().median())).toArray());
    series.setLineColor(colour);
    series.setLineWidth(2);
    series.setMarker(SeriesMarkers.CIRCLE);
    series.setMarkerColor(colour);
  }
}
