package org.cuarray.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PictureTest {
  @TempDir private Path folder;

  @Test
  void aFullJavaRuntimeCanDraw() {
    assertThat(Picture.unavailableReason()).isEmpty();
  }

  @Test
  void curveAndBothHeatMapsGoIntoOnePicture() throws IOException {
    Path png = folder.resolve("report.png");

    Picture.writePng(Reports.of(figures()), png);

    BufferedImage image = ImageIO.read(png.toFile());
    assertThat(image.getWidth()).isEqualTo(2 * Charts.WIDTH);
    assertThat(image.getHeight()).isEqualTo(2 * Charts.HEIGHT);
    assertThat(coloursOf(image)).isGreaterThan(10);
  }

  @Test
  void thePageNeedsNoOtherFile() throws IOException {
    Path html = folder.resolve("report.html");

    Picture.writeHtml(Reports.of(figures()), html);

    String page = Files.readString(html);
    assertThat(page)
        .contains("GPU A", "Some VM &lt;17>", "396", "src=\"data:image/png;base64,", "no room")
        .doesNotContain("http", "href", "<script", "url(", "SIMULATED");
    assertThat(page.split("<img", -1)).hasSize(4);
  }

  @Test
  void aReportOfOneDeviceHasAPageAndNoPicture() throws IOException {
    Report report = Reports.of(List.of());

    Picture.writeHtml(report, folder.resolve("report.html"));

    assertThat(Files.readString(folder.resolve("report.html"))).doesNotContain("<img");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Picture.writePng(report, folder.resolve("report.png")))
        .withMessageContaining("nothing to draw");
  }

  private static List<Figure> figures() {
    List<Figure> figures = new ArrayList<>();
    for (long bytes = 4; bytes <= 1 << 20; bytes *= 16) {
      figures.add(Reports.between(0, 1, CurveWork.PEER, Figure.CUARRAY, bytes, bytes / 2e3));
      figures.add(Reports.between(0, 1, CurveWork.STAGED, Figure.CUARRAY, bytes, bytes / 2e4));
    }
    figures.add(Reports.between(0, 1, PeerWork.POOL, Figure.CUARRAY, 1 << 20, 396));
    figures.add(Reports.between(1, 0, PeerWork.POOL, Figure.CUARRAY, 1 << 20, 380));
    figures.add(Reports.between(0, 1, StagedWork.ONE_WAY, Figure.CUARRAY, 1 << 20, 53.4));
    return figures;
  }

  private static long coloursOf(BufferedImage image) {
    int[] pixels =
        image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
    return Arrays.stream(pixels).distinct().count();
  }
}
