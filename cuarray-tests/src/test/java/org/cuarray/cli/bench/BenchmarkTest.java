package org.cuarray.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.logging.Logger;
import org.cuarray.driver.CudaDriver;
import org.cuarray.driver.simulated.Preset;
import org.cuarray.driver.simulated.SimulatedDriver;
import org.junit.jupiter.api.Test;

/** What is measured, never how fast. */
class BenchmarkTest {
  private static final Logger LIBRARY = Logger.getLogger("org.cuarray");
  private static final Effort HARDLY_ANY = Effort.QUICK.times(1e-6);
  private static final long LARGE = 64 << 10;
  private static final List<Long> SIZES = List.of(4L, 4096L, LARGE);

  private final List<Subject> measured = new ArrayList<>();
  private final List<Skipped> skipped = new ArrayList<>();
  private final List<String> steps = new ArrayList<>();

  @Test
  void everyRowIsMeasuredForEveryPairAndTheMachineGetsEverythingBack() {
    SimulatedDriver machine = SimulatedDriver.of(Preset.NVLINK, 2);

    Report report = run(machine, EnumSet.allOf(Row.class));

    assertThat(report.skipped()).isEmpty();
    assertThat(machine.findings()).isEmpty();
    Set<String> rows = new HashSet<>();
    report.measurements().forEach(figure -> rows.add(figure.row()));
    for (Row row : Row.values()) {
      assertThat(rows).contains(row.rowName());
    }
    for (String work : List.of(PeerWork.POOL, StagedWork.ONE_WAY, SubmitWork.SUBMIT)) {
      assertThat(report.measurements())
          .filteredOn(figure -> figure.work().equals(work) && figure.isOurs())
          .extracting(Figure::from, Figure::to)
          .containsExactly(tuple(0, 1), tuple(1, 0));
    }
    assertThat(report.measurements())
        .filteredOn(figure -> figure.work().equals(CurveWork.PEER) && figure.isOurs())
        .filteredOn(figure -> figure.isBetween(1, 0))
        .extracting(Figure::bytes)
        .containsExactlyElementsOf(SIZES);
    assertThat(report.measurements())
        .allSatisfy(
            figure -> {
              Summary value = figure.value();
              assertThat(value.samples()).isPositive();
              assertThat(value.min()).isGreaterThanOrEqualTo(0).isLessThanOrEqualTo(value.median());
              assertThat(value.max()).isGreaterThanOrEqualTo(value.median());
            });
    assertThat(report.results()).hasSizeGreaterThanOrEqualTo(Target.values().length);
    assertThat(report.results()).allSatisfy(BenchmarkTest::hasTheRightRatio);
  }

  private static void hasTheRightRatio(Result result) {
    assertThat(result.ratio())
        .isEqualTo(Result.ratio(Unit.named(result.unit()), result.cuarray(), result.baseline()));
  }

  @Test
  void theStepsAreCountedBeforehand() {
    Report unused = run(SimulatedDriver.of(Preset.NVLINK, 2), EnumSet.of(Row.SUBMIT, Row.CURVE));

    // Both directions of a submission; of each strategy both directions and both at once.
    int all = 2 + 2 * 3 * SIZES.size();
    assertThat(measured).hasSize(all).doesNotHaveDuplicates();
    assertThat(steps).first().isEqualTo("0 of " + all);
    assertThat(steps).last().isEqualTo(all - 1 + " of " + all);
  }

  @Test
  void whatCanNotBeMeasuredIsSkippedWithItsReason() {
    Report report =
        run(SimulatedDriver.of(Preset.PCIE, 2), EnumSet.of(Row.SUBMIT, Row.STAGED, Row.CURVE));

    assertThat(report.skipped())
        .isEqualTo(skipped)
        .isNotEmpty()
        .allSatisfy(each -> assertThat(each.why()).contains("peer"));
    assertThat(report.measurements())
        .isNotEmpty()
        .extracting(Figure::work)
        .doesNotContain(SubmitWork.SUBMIT, CurveWork.PEER)
        .contains(StagedWork.ONE_WAY, CurveWork.STAGED);
    assertThat(report.links()).extracting(Report.Link::strategy).containsOnly("HOST_STAGED");
  }

  @Test
  void aDeviceWithoutPoolsIsMeasuredInClassicMemory() {
    Report report = run(SimulatedDriver.of(Preset.NO_POOLS, 1), EnumSet.of(Row.ALLOCATE));

    assertThat(report.skipped()).singleElement().matches(each -> each.why().contains("pools"));
    assertThat(report.measurements()).isNotEmpty();
  }

  @Test
  void oneDeviceHasNoPairs() {
    Report report = run(SimulatedDriver.of(Preset.NVLINK, 1), EnumSet.allOf(Row.class));

    assertThat(report.skipped()).isEmpty();
    assertThat(report.links()).isEmpty();
    assertThat(report.measurements())
        .extracting(Figure::row)
        .contains("allocate", "host", "peer")
        .doesNotContain("submit", "staged", "curve");
  }

  @Test
  void copiesThatDoNotArriveAreNoFigures() {
    // The warning about the link is what a liar is for.
    LIBRARY.setFilter(record -> false);
    Report report;
    try {
      report = run(SimulatedDriver.of(Preset.BROKEN_IOMMU, 2), EnumSet.of(Row.PEER));
    } finally {
      LIBRARY.setFilter(null);
    }

    assertThat(report.measurements()).extracting(Figure::work).containsOnly(SameDeviceWork.WITHIN);
  }

  private Report run(CudaDriver driver, Set<Row> rows) {
    Watcher watcher =
        new Watcher() {
          @Override
          public void beforeStep(int done, int all) {
            steps.add(done + " of " + all);
          }

          @Override
          public void measured(Subject subject, List<Figure> figures) {
            measured.add(subject);
          }

          @Override
          public void skipped(Skipped what) {
            skipped.add(what);
          }
        };
    return new Benchmark(driver, HARDLY_ANY, rows, LARGE, SIZES).run(watcher);
  }
}
