package org.cuarray.cli.bench;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the library wants to reach, as ratios in which more is better: at least 0.99 of a bandwidth
 * is 0.99, at most 1.2 times a time is 1 / 1.2. Taken from the first pair of devices, or the first
 * device. Comparisons with other programs are added by the script {@code compare}.
 */
enum Target {
  PEER_COPY(PeerWork.POOL, 0.99, "raw copy call", SubmitWork.RAW_COPY),
  SUBMIT(SubmitWork.SUBMIT, 1 / 1.2, "raw copy call", SubmitWork.RAW_COPY),
  PING_PONG(PingPongWork.PING_PONG, 1 / 1.3, PingPongWork.RAW_ORDERED, PingPongWork.RAW_ORDERED),
  PING_PONG_LEAST(PingPongWork.PING_PONG, null, PingPongWork.RAW_LEAST, PingPongWork.RAW_LEAST),
  STAGED(StagedWork.ONE_WAY, 0.95, "slower PCIe leg alone", StagedWork.DOWN, StagedWork.UP),

  /** "Does not block for the transfer", in a number: no more than a quarter of it. */
  STAGED_SUBMIT(StagedWork.SUBMIT, 4.0, StagedWork.WHOLE, StagedWork.WHOLE),

  UPLOAD(HostWork.UPLOAD, null, HostWork.RAW_PAGEABLE, HostWork.RAW_PAGEABLE),
  DOWNLOAD(HostWork.DOWNLOAD, null, HostWork.RAW_PAGEABLE, HostWork.RAW_PAGEABLE),
  GARBAGE_PEER(GarbageWork.PEER, 1.0, "none"),
  GARBAGE_PING_PONG(GarbageWork.PING_PONG, 1.0, "none"),
  GARBAGE_SAME_DEVICE(GarbageWork.SAME_DEVICE, 1.0, "none"),
  GARBAGE_STAGED(GarbageWork.STAGED, 1.0, "none"),
  ALLOCATE(
      AllocationWork.STREAM_ORDERED, 1 / 2.0, AllocationWork.RAW_POOL, AllocationWork.RAW_POOL);

  private final String work;
  private final @Nullable Double ratio;
  private final String against;
  private final ImmutableList<String> baselines;

  /** Against the worst of some baselines, or against nothing at all. */
  Target(String work, @Nullable Double ratio, String against, String... baselines) {
    this.work = work;
    this.ratio = ratio;
    this.against = against;
    this.baselines = ImmutableList.copyOf(baselines);
  }

  /** The lines that some figures allow: one for each size that this library was measured at. */
  static List<Result> results(List<Figure> figures) {
    List<Result> results = new ArrayList<>();
    for (Target target : values()) {
      figures.stream()
          .filter(figure -> figure.isOurs() && figure.work().equals(target.work))
          .findFirst()
          .map(
              first ->
                  figures.stream()
                      .filter(figure -> figure.isOurs() && isBeside(first, figure))
                      .flatMap(ours -> target.result(ours, figures).stream())
                      .toList())
          .ifPresent(results::addAll);
    }
    return results;
  }

  private static boolean isBeside(Figure first, Figure figure) {
    return figure.work().equals(first.work())
        && Objects.equals(figure.from(), first.from())
        && Objects.equals(figure.to(), first.to());
  }

  private Optional<Result> result(Figure ours, List<Figure> figures) {
    Unit unit = Unit.named(ours.unit());
    String what = ours.work() + ", " + ByteText.of(ours.bytes());
    if (baselines.isEmpty()) {
      return Optional.of(Result.of(what, unit, ours.value().median(), 0, against, ratio));
    }
    Comparator<Double> worstFirst =
        unit.moreIsBetter() ? Comparator.naturalOrder() : Comparator.reverseOrder();
    return figures.stream()
        .filter(figure -> isBeside(ours, figure) && figure.bytes() == ours.bytes())
        .filter(figure -> baselines.contains(figure.who()))
        .map(figure -> figure.value().median())
        .min(worstFirst)
        .map(baseline -> Result.of(what, unit, ours.value().median(), baseline, against, ratio));
  }
}
