package org.cuarray.tests.examples;

import static org.cuarray.DType.FLOAT32;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.cuarray.CuArray;
import org.cuarray.CuDevice;
import org.cuarray.CuRuntime;
import org.cuarray.CuScope;

/**
 * {@code C = A · B} on any number of devices: each has some rows of A and computes those of C. B is
 * on the first device, and the others get it in panels of rows.
 *
 * <p>A panel is copied while the one before it is multiplied. Nothing says so here: the copy writes
 * an array that the product before does not read, so it does not wait for it, and the product that
 * reads the panel comes after its copy.
 */
final class Gemm implements AutoCloseable {
  /** One that is multiplied and one that arrives. */
  private static final int PANELS_ON_A_DEVICE = 2;

  private final CuScope scope;
  private final CuArray<Float> b;
  private final int panels;
  private final List<Share> shares = new ArrayList<>();

  /** What one device does. */
  private static final class Share {
    final PanelProduct product;
    final CuArray<Float> a;
    final CuArray<Float> c;
    final List<CuArray<Float>> arriving = new ArrayList<>();

    Share(PanelProduct product, CuArray<Float> a, CuArray<Float> c) {
      this.product = product;
      this.a = a;
      this.c = c;
    }
  }

  /**
   * Takes memory for square matrices and fills them.
   *
   * @param devices that share the work; B is on the first
   * @param panels in how many parts B is copied and multiplied; divides the size
   */
  Gemm(
      CuRuntime cuda,
      List<CuDevice> devices,
      GemmProblem problem,
      int panels,
      Function<CuDevice, PanelProduct> products) {
    int size = problem.size();
    if (size % panels != 0) {
      throw new IllegalArgumentException(
          "%d rows are not %d panels of the same height".formatted(size, panels));
    }
    this.panels = panels;
    scope = cuda.scope();
    b = scope.keep(devices.get(0).empty(FLOAT32, size, size));
    GemmProblem.fill(b, 0, problem::b);
    for (int i = 0; i < devices.size(); i++) {
      CuDevice device = devices.get(i);
      int first = (int) ((long) size * i / devices.size());
      int rows = (int) ((long) size * (i + 1) / devices.size()) - first;
      CuArray<Float> a = scope.keep(device.empty(FLOAT32, rows, size));
      GemmProblem.fill(a, first, problem::a);
      CuArray<Float> c = scope.keep(device.empty(FLOAT32, rows, size));
      Share share = new Share(scope.keep(products.apply(device)), a, c);
      if (!device.equals(b.device())) {
        for (int panel = 0; panel < Math.min(panels, PANELS_ON_A_DEVICE); panel++) {
          share.arriving.add(scope.keep(device.empty(FLOAT32, size / panels, size)));
        }
      }
      shares.add(share);
    }
  }

  /** Submits the whole product. */
  void multiply() {
    long height = b.shape()[0] / panels;
    for (int i = 0; i < panels; i++) {
      CuArray<Float> panel = b.slice(i * height, (i + 1) * height);
      for (Share share : shares) {
        CuArray<Float> there = panel;
        if (!share.arriving.isEmpty()) {
          there = share.arriving.get(i % share.arriving.size());
          panel.copyTo(there);
        }
        share.product.multiply(share.a, i * height, there, i == 0 ? 0 : 1, share.c);
      }
    }
  }

  /** Waits until all of C is there. */
  void synchronize() {
    for (Share share : shares) {
      share.c.synchronize();
    }
  }

  /** A row of C; waits for it. */
  float[] row(int row) {
    int first = 0;
    for (Share share : shares) {
      int rows = (int) share.c.shape()[0];
      if (row < first + rows) {
        return share.c.slice(row - first, row - first + 1).toArray(FLOAT32);
      }
      first += rows;
    }
    throw new IndexOutOfBoundsException("row %d of %d".formatted(row, first));
  }

  @Override
  public void close() {
    scope.close();
  }
}
