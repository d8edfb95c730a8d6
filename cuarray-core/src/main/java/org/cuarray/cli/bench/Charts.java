package org.cuarray.cli.bench;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.internal.chartpart.Chart;

/** Draws a report: bandwidth over size, and bandwidth from each device to each. */
final class Charts {
  static final int WIDTH = 860;
  static final int HEIGHT = 560;
  private static final int COLUMNS = 2;
  private static final int MOST_CURVES = 6;

  private Charts() {}

  /** Every chart that a report has figures for; empty with fewer than two devices. */
  static List<Chart<?, ?>> of(Report report) {
    List<Chart<?, ?>> charts = new ArrayList<>();
    Pair.all(report.machine().devices().size()).stream()
        .filter(Pair::isForward)
        .limit(MOST_CURVES)
        .map(pair -> CurveChart.of(report, pair))
        .filter(chart -> !chart.getSeriesMap().isEmpty())
        .forEach(charts::add);
    HeatMap.of(report, PeerWork.POOL, "Peer copy, one way").ifPresent(charts::add);
    HeatMap.of(report, StagedWork.ONE_WAY, "Host-staged copy, one way").ifPresent(charts::add);
    return charts;
  }

  /** What all charts have in common. */
  static void style(Chart<?, ?> chart) {
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setPlotBorderVisible(false);
  }

  /** Nobody shall take a picture of a simulated machine for that of a real one. */
  static String caveat(Report report) {
    return report.machine().isSimulated() ? " (SIMULATED, means nothing)" : "";
  }

  static void writePng(List<Chart<?, ?>> charts, OutputStream out) throws IOException {
    int columns = Math.min(COLUMNS, charts.size());
    int rows = (charts.size() + columns - 1) / columns;
    BufferedImage all =
        new BufferedImage(columns * WIDTH, rows * HEIGHT, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = all.createGraphics();
    try {
      graphics.setColor(Color.WHITE);
      graphics.fillRect(0, 0, all.getWidth(), all.getHeight());
      for (int i = 0; i < charts.size(); i++) {
        BufferedImage image = BitmapEncoder.getBufferedImage(charts.get(i));
        graphics.drawImage(image, i % columns * WIDTH, i / columns * HEIGHT, null);
      }
    } finally {
      graphics.dispose();
    }
    if (!ImageIO.write(all, "png", out)) {
      throw new IOException("this Java runtime writes no PNG");
    }
  }

  static byte[] png(Chart<?, ?> chart) throws IOException {
    return BitmapEncoder.getBitmapBytes(chart, BitmapEncoder.BitmapFormat.PNG);
  }
}
